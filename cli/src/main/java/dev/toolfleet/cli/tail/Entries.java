package dev.toolfleet.cli.tail;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.Style.Tone;
import dev.toolfleet.cli.tail.Entry.State;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.AuditedCall;
import dev.toolfleet.wire.CallDecoder;
import dev.toolfleet.wire.DecodedCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolErrorEvent;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Turns records into what people may see of them. What a tool is passed or returns is left out when its tool accesses
/// sensitive data; the arguments of a call, which no guard has seen, lose the values of fields that sound secret. Pure
/// except for its two sources.
final class Entries {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final WireCodec<ToolErrorEvent> ERRORS = WireCodec.of(ToolErrorEvent.class);
    private static final WireCodec<ToolProgress> PROGRESS = WireCodec.of(ToolProgress.class);
    private static final WireCodec<StepCatalog> CATALOGS = WireCodec.of(StepCatalog.class);
    private static final WireCodec<AuditEvent> AUDIT = WireCodec.of(AuditEvent.class);
    private static final String DIGEST_ALGORITHM = "sha256:";
    private static final int DIGITS = 12;

    private final Exposure.Of exposures;
    private final Function<String, Optional<List<String>>> contents;

    /// @param contents the tools of a catalog's content, by its digest
    Entries(Exposure.Of exposures, Function<String, Optional<List<String>>> contents) {
        this.exposures = exposures;
        this.contents = contents;
    }

    /// Empty for what ends something: a record without a value.
    Optional<Entry> of(TailOptions.What what, ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null)
            return Optional.empty();
        Instant at = Instant.ofEpochMilli(record.timestamp());
        try {
            return Optional.of(switch (what) {
                case CALLS -> call(at, record);
                case RESULTS -> result(at, RESULTS.read(record.value()));
                case ERRORS -> error(at, ERRORS.read(record.value()));
                case PROGRESS -> progress(at, PROGRESS.read(record.value()));
                case CATALOG -> catalog(at, CATALOGS.read(record.value()));
                case AUDIT -> audit(at, AUDIT.read(record.value()));
            });
        } catch (WireFormatException e) {
            return Optional.of(unreadable(at, record, String.valueOf(e.getMessage())));
        }
    }

    private Entry call(Instant at, ConsumerRecord<byte[], byte[]> record) {
        return switch (CallDecoder.decode(key(record), record.value())) {
            case DecodedCall.Malformed malformed -> unreadable(at, record, malformed.reason());
            case DecodedCall.Valid(ToolCall call) -> {
                Exposure exposure = exposures.tool(call.name());
                JsonNode args = exposure.hides() ? null : ShownJson.masked(call.args(), Integer.MAX_VALUE);
                // The model's message repeats the arguments, and metadata is whatever a runtime put there.
                ObjectNode json = Json.MAPPER.valueToTree(call.bare());
                json.remove("args");
                if (args != null)
                    json.set("args", args);
                yield new Entry(at, call.instanceKey(), text(call.agentName()), List.of(call.name()), call.name(),
                        State.NONE, call.id(), exposure.text(), args, hidden(json, exposure));
            }
        };
    }

    private Entry result(Instant at, ToolResult result) {
        Exposure exposure = exposures.tool(result.toolName());
        ObjectNode json = Json.MAPPER.valueToTree(result);
        ToolError error = result.error();
        boolean hides = exposure.hides() && (error == null ? result.output() != null : !isFleets(error, exposure));
        if (hides)
            withoutWords(json);
        String replayed = result.replayed() ? "replayed " : "";
        State state = switch (result.status()) {
            case OK -> new State(replayed + "ok", Tone.GOOD);
            case PENDING -> new State(replayed + "pending", Tone.WAITING);
            case ERROR -> new State(replayed + (error == null ? "error" : error.code()), Tone.BAD);
            case UNKNOWN -> new State(replayed + "unknown status", Tone.WAITING);
        };
        String said = hides
                ? exposure.text()
                : result.status() == ResultStatus.PENDING && result.handle() != null
                        ? "handle " + result.handle()
                        : error == null ? "" : error.message();
        return new Entry(at, result.instanceKey(), text(result.agentName()), List.of(result.toolName()),
                result.toolName(), state, result.toolCallId(), said, hides ? null : result.output(),
                hides ? hidden(json, exposure) : json);
    }

    /// True for an error of the fleet about a tool without a declaration: it holds no words of the tool.
    private static boolean isFleets(ToolError error, Exposure exposure) {
        if (exposure != Exposure.UNDECLARED || error.code().equals(ErrorCode.E_TOOL.name()))
            return false;
        for (ErrorCode code : ErrorCode.values()) {
            if (code.name().equals(error.code()))
                return true;
        }
        return false;
    }

    private static Entry error(Instant at, ToolErrorEvent event) {
        ObjectNode json = Json.MAPPER.valueToTree(event);
        if (event.sensitive())
            withoutWords(json);
        return new Entry(at, event.instanceKey(), text(event.agentName()), List.of(event.toolName()), event.toolName(),
                new State(event.error().code(), Tone.BAD), event.toolCallId(),
                event.sensitive() ? Exposure.SENSITIVE.text() : event.error().message(), null,
                event.sensitive() ? hidden(json, Exposure.SENSITIVE) : json);
    }

    private Entry progress(Instant at, ToolProgress event) {
        Exposure exposure = exposures.tool(event.toolName());
        ObjectNode json = Json.MAPPER.valueToTree(event);
        String message = event.progress().message();
        boolean hides = exposure.hides() && message != null;
        if (hides && json.get("progress") instanceof ObjectNode progress)
            progress.remove("message");
        Double percent = event.progress().percent();
        return new Entry(at, event.instanceKey(), text(event.agentName()), List.of(event.toolName()), event.toolName(),
                new State(percent == null ? "" : Math.round(percent) + " %", Tone.WAITING), event.toolCallId(),
                hides ? exposure.text() : text(message), null, hides ? hidden(json, exposure) : json);
    }

    private Entry catalog(Instant at, StepCatalog step) {
        Optional<List<String>> tools = contents.apply(step.digest());
        ObjectNode json = Json.MAPPER.valueToTree(step);
        json.remove("recent");
        tools.ifPresent(names -> names.forEach(json.putArray("tools")::add));
        String digest = step.digest().startsWith(DIGEST_ALGORITHM)
                ? step.digest().substring(DIGEST_ALGORITHM.length())
                : step.digest();
        String count = tools.map(names -> names.size() + (names.size() == 1 ? " tool" : " tools"))
                .orElse("content gone");
        String said = "catalog " + digest.substring(0, Math.min(DIGITS, digest.length())) + ", " + count + ", "
                + (step.bundle().isEmpty() ? "no bundle" : step.bundle() + " revision " + step.revision());
        return new Entry(at, step.instanceKey(), step.agentName(), tools.orElse(List.of()), step.agentName(),
                step.ended() ? new State("ended", Tone.DIM) : new State("current", Tone.GOOD), step.stepId(), said,
                null, json);
    }

    /// An event holds no arguments, so nothing of it is hidden.
    private static Entry audit(Instant at, AuditEvent event) {
        AuditedCall call = event.call();
        Tone tone = switch (event.action()) {
            case "denied", "rejected", "approval-refused", "approval-expired" -> Tone.BAD;
            case "allowed", "approved", "approval-used" -> Tone.GOOD;
            default -> Tone.WAITING;
        };
        String by = event.by() == null ? "" : "by " + event.by();
        String rule = event.rule() == null ? "" : "rule " + event.rule();
        String said = Stream.of(by, rule, text(event.reason())).filter(each -> !each.isEmpty())
                .collect(Collectors.joining("  "));
        return new Entry(at, call == null ? "" : call.instanceKey(), call == null ? "" : text(call.agentName()),
                call == null ? List.of() : List.of(call.toolName()),
                call == null ? text(event.target()) : call.toolName(), new State(event.action(), tone),
                call == null ? "" : call.toolCallId(), said, null, Json.MAPPER.valueToTree(event));
    }

    private static Entry unreadable(Instant at, ConsumerRecord<byte[], byte[]> record, String why) {
        ObjectNode json = Json.MAPPER.createObjectNode().put("unreadable", why);
        return new Entry(at, key(record), "", List.of(), "–", new State("unreadable", Tone.BAD),
                record.partition() + ":" + record.offset(), why, null, json);
    }

    private static void withoutWords(ObjectNode json) {
        json.remove("output");
        if (json.get("error") instanceof ObjectNode error) {
            error.remove("message");
            error.remove("suggestion");
        }
    }

    private static ObjectNode hidden(ObjectNode json, Exposure exposure) {
        return exposure.hides() ? json.put("hidden", exposure.name().toLowerCase(Locale.ROOT)) : json;
    }

    private static String key(ConsumerRecord<byte[], byte[]> record) {
        return record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
    }

    private static String text(@Nullable String text) {
        return Objects.requireNonNullElse(text, "");
    }
}
