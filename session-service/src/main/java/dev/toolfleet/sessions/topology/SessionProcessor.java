package dev.toolfleet.sessions.topology;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.ContextPolicySpec;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.json.Digests;
import dev.toolfleet.session.message.ResultMessages;
import dev.toolfleet.streams.DeadLetters;
import dev.toolfleet.streams.Outgoing;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.CallDecoder;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.DecodedCall;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.SessionReport;
import dev.toolfleet.wire.SessionState;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.StringNode;

import static java.util.Objects.requireNonNull;

/// Processor of one partition: applies message events, and makes events of results.
///
/// A record that cannot be read, and an event that is refused, become dead letters. A failure to store or to send ends
/// the thread.
///
/// **Why.** The service reads its own events like those of runtimes. So the order of the topic is the order of the
/// session, for this service and for every other reader.
final class SessionProcessor implements Processor<byte[], byte[], byte[], Outgoing> {
    static final String SOURCE = "/toolfleet/session-service";
    private static final Logger LOG = LoggerFactory.getLogger(SessionProcessor.class);
    /// Key, headers and framing of a record take the rest.
    private static final int MAX_EVENT = Topic.SESSION_MESSAGE.maxRecordBytes() - 32 * 1024;
    private static final Duration LOOK_EVERY = Duration.ofMillis(250);
    private static final Duration EXPIRE_EVERY = Duration.ofMinutes(10);
    private static final WireCodec<MessageEvent> EVENTS = WireCodec.of(MessageEvent.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final WireCodec<ToolCall> CALLS = WireCodec.of(ToolCall.class);
    private static final WireCodec<StepEvent> STEPS = WireCodec.of(StepEvent.class);
    private static final WireCodec<SessionState> STATES = WireCodec.of(SessionState.class);
    private static final WireCodec<CancelCall> CANCELLATIONS = WireCodec.of(CancelCall.class);
    private static final WireCodec<SessionReport> REPORTS = WireCodec.of(SessionReport.class);

    private final TopologySettings settings;
    private final AgentContexts contexts;
    private final Map<String, Topic> sources;
    private final DeadLetters deadLetters = new DeadLetters(SOURCE);
    private @Nullable Bound bound;

    /// The context and the stores of a task.
    private record Bound(ProcessorContext<byte[], Outgoing> context, SessionStores stores, SessionLog log,
            ResultIntake results, Compactions compactions) {
        int partition() {
            return context.taskId().partition();
        }

        Instant now() {
            return Instant.ofEpochMilli(context.currentSystemTimeMs());
        }
    }

    SessionProcessor(TopologySettings settings, AgentContexts contexts) {
        this.settings = settings;
        this.contexts = contexts;
        this.sources = SessionTopology.SOURCES.stream()
                .collect(Collectors.toMap(settings.topics()::name, Function.identity()));
    }

    @Override
    public void init(ProcessorContext<byte[], Outgoing> context) {
        SessionStores stores = new SessionStores(context);
        bound = new Bound(context, stores, new SessionLog(stores, contexts),
                new ResultIntake(stores, settings.messageWait()), new Compactions(stores, contexts));
        context.schedule(LOOK_EVERY, PunctuationType.WALL_CLOCK_TIME, time -> {
            write(bound().results().due(bound().now()), null);
            bound().compactions().due(bound().now()).forEach(effects -> write(effects, null));
        });
        context.schedule(EXPIRE_EVERY, PunctuationType.WALL_CLOCK_TIME, time -> expire());
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RecordMetadata metadata = bound().context().recordMetadata().orElseThrow();
        Topic source = requireNonNull(sources.get(metadata.topic()), metadata.topic());
        try {
            if (record.value() == null)
                throw new WireFormatException("the record has no value");
            switch (source) {
                case SESSION_MESSAGE -> message(record, metadata);
                case RESULT -> result(record, metadata);
                case CALL -> call(record);
                case STEP -> step(record);
                default -> throw new IllegalStateException("not a source: " + metadata.topic());
            }
        } catch (WireFormatException e) {
            // Calls, results and steps have readers of their own, which report faults.
            if (source == Topic.SESSION_MESSAGE)
                refuse(record, metadata, "malformed: " + e.getMessage());
        }
    }

    private void message(Record<byte[], byte[]> record, RecordMetadata metadata) {
        MessageEvent event = EVENTS.read(record.value());
        SessionLog.Applied applied = bound().log().apply(event, record.value(),
                Instant.ofEpochMilli(record.timestamp()));
        applied.record().ifPresent(now -> forward(SessionTopology.STATE_SINK, EventType.SESSION_STATE,
                SessionState.key(event.instanceKey(), event.agentName()), DeadLetters.origin(metadata),
                STATES.write(now.state()), true, trace(record)));
        applied.report().ifPresent(report -> report(report, DeadLetters.origin(metadata)));
        for (CancelCall cancelled : applied.cancelled())
            forward(SessionTopology.CONTROL_SINK, EventType.TOOL_CONTROL, cancelled.instanceKey(),
                    DeadLetters.origin(metadata) + "/" + cancelled.handle(), CANCELLATIONS.write(cancelled), false,
                    trace(record));
        applied.refusal().ifPresent(reason -> refuse(record, metadata, reason));
        SessionId id = SessionId.of(event.instanceKey(), event.agentName());
        if (applied.calls())
            write(bound().results().release(id, bound().now()), trace(record));
        if (applied.compact())
            write(bound().compactions().request(id,
                    bound().stores().record(id).orElseGet(() -> SessionRecord.empty(id, bound().now())),
                    bound().now()), trace(record));
        else
            applied.record().ifPresent(now -> write(bound().compactions().consider(id, now, bound().now()),
                    trace(record)));
    }

    private void write(Compactions.Effects effects, @Nullable TraceContext trace) {
        write(effects.events(), trace);
        effects.reports().forEach(report -> report(report, "compaction/" + report.instanceKey() + "/" + report.seq()));
        effects.call().ifPresent(summary -> {
            ToolCall call = summary.call();
            forward(SessionTopology.STEP_SINK, EventType.AGENT_STEP, call.instanceKey(), call.id() + "/step",
                    STEPS.write(summary.step()), true, trace);
            forward(SessionTopology.CALL_SINK, EventType.TOOL_CALL, call.instanceKey(), call.id(), CALLS.write(call),
                    true, trace);
        });
    }

    private void result(Record<byte[], byte[]> record, RecordMetadata metadata) {
        ToolResult result = RESULTS.read(record.value());
        if (result.replayed() || result.status() == ResultStatus.UNKNOWN)
            return;
        if (isOfSummariser(result.agentName())) {
            write(bound().compactions().answered(result, bound().now()), trace(record));
            return;
        }
        String named = KafkaHeaders.text(record.headers(), WireHeaders.IDENTITY);
        String identity = named == null
                ? CallIdentity.ofRecord(metadata.partition(), result.callOffset()).text()
                : named;
        ToolResult fitting = record.value().length <= MAX_EVENT ? result : withoutOutput(result, record.value().length);
        write(bound().results().take(identity, fitting, bound().now()), trace(record));
    }

    /// The result is cut before it is stored: a session never holds more than it can write.
    private static ToolResult withoutOutput(ToolResult result, int bytes) {
        return new ToolResult(result.toolCallId(), result.toolName(), result.status(),
                StringNode.valueOf(ResultMessages.tooLarge(bytes)), result.handle(), result.error(),
                result.instanceKey(),
                result.agentName(), result.turnId(), result.stepId(), result.attempt(), result.replayed(),
                result.fingerprint(), result.callOffset(), result.timing(), result.guard(), result.notice());
    }

    private void call(Record<byte[], byte[]> record) {
        if (CallDecoder.decode(text(record.key()), record.value()) instanceof DecodedCall.Valid valid
                && !isOfSummariser(valid.call().agentName()))
            bound().results().requested(valid.call(), bound().now());
    }

    /// The service's own calls belong to no session.
    private static boolean isOfSummariser(@Nullable String agentName) {
        return agentName != null && agentName.startsWith(ContextPolicySpec.AGENT);
    }

    private static @Nullable TraceContext trace(Record<byte[], byte[]> record) {
        return TraceContext.of(KafkaHeaders.text(record.headers(), WireHeaders.TRACEPARENT),
                KafkaHeaders.text(record.headers(), WireHeaders.TRACESTATE));
    }

    private static @Nullable String text(byte @Nullable [] key) {
        return key == null ? null : new String(key, StandardCharsets.UTF_8);
    }

    private void step(Record<byte[], byte[]> record) {
        if (STEPS.read(record.value()) instanceof StepStarted started && !isOfSummariser(started.agentName()))
            bound().results().started(SessionId.of(started.instanceKey(), started.agentName()), started.stepId(),
                    bound().now());
    }

    /// @param trace the context of the record that releases the events; results that waited have none of their own
    private void write(List<MessageEvent> events, @Nullable TraceContext trace) {
        for (MessageEvent event : events) {
            SessionMessage message = event.message();
            byte[] bytes = EVENTS.write(event);
            if (message == null) {
                forward(SessionTopology.MESSAGE_SINK, EventType.SESSION_MESSAGE, event.instanceKey(),
                        Digests.sha256(bytes), bytes, true, trace);
                continue;
            }
            if (bytes.length > MAX_EVENT)
                bytes = EVENTS.write(event.with(ResultMessages.withoutContent(message, bytes.length)));
            forward(SessionTopology.MESSAGE_SINK, EventType.SESSION_MESSAGE, event.instanceKey(), message.id(), bytes,
                    true, trace);
        }
    }

    private void report(SessionReport report, String id) {
        forward(SessionTopology.REPORT_SINK, EventType.SESSION_REPORT, report.instanceKey(), id, REPORTS.write(report),
                false, null);
    }

    private void forward(String sink, EventType type, String key, String id, byte[] bytes, boolean here,
            @Nullable TraceContext trace) {
        Instant now = bound().now();
        Map<String, String> headers = WireHeaders.cloudEvent(type, id, SOURCE, key, now, null);
        TraceContext.put(trace, headers);
        Outgoing value = here ? Outgoing.to(bound().partition(), bytes) : Outgoing.anywhere(bytes);
        bound().context().forward(new Record<>(key.getBytes(StandardCharsets.UTF_8), value, now.toEpochMilli(),
                KafkaHeaders.of(headers)), sink);
    }

    private void refuse(Record<byte[], byte[]> record, RecordMetadata metadata, String reason) {
        String origin = DeadLetters.origin(metadata);
        LOG.atWarn().addKeyValue("origin", origin).log("session event became a dead letter");
        bound().context().forward(deadLetters.of(record, origin, reason), SessionTopology.DEAD_LETTER_SINK);
    }

    private void expire() {
        Instant oldest = bound().now().minus(settings.retention());
        for (SessionId id : bound().stores().sessions(record -> record.state().updatedAt().isBefore(oldest)
                && !record.holds())) {
            bound().stores().removeAll(id);
            String key = SessionState.key(id.instanceKey(), id.agentName());
            bound().context().forward(new Record<>(key.getBytes(StandardCharsets.UTF_8),
                    Outgoing.to(bound().partition(), null), bound().context().currentSystemTimeMs()),
                    SessionTopology.STATE_SINK);
        }
    }

    private Bound bound() {
        return Optional.ofNullable(bound).orElseThrow(() -> new IllegalStateException("process before init"));
    }
}
