package dev.toolfleet.cli.tail;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.bundle.Glob;
import dev.toolfleet.cli.table.ShownJson;
import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.tail.TailOptions.What;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.AuditedCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolErrorEvent;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EntriesTest {
    private static final String SECRET = "account 4711";
    private static final Instant AT = Instant.parse("2026-11-21T20:00:00Z");

    private final Entries entries = new Entries(
            name -> name.startsWith("bank")
                    ? Exposure.SENSITIVE
                    : name.startsWith("gone") ? Exposure.UNDECLARED : Exposure.SHOWN,
            digest -> digest.endsWith("0") ? Optional.empty() : Optional.of(List.of("bash__exec", "file__read")));

    private static ConsumerRecord<byte[], byte[]> record(byte @Nullable [] value) {
        return new ConsumerRecord<>("tool.x", 3, 17, AT.toEpochMilli(), TimestampType.CREATE_TIME, 0, 0,
                "i".getBytes(StandardCharsets.UTF_8), value, new RecordHeaders(), Optional.empty());
    }

    private <T> Entry entry(What what, Class<T> type, T value) {
        return entries.of(what, record(WireCodec.of(type).write(value))).orElseThrow();
    }

    private Entry call(String tool, String args) {
        return entry(What.CALLS, ToolCall.class, ToolCall.of("c1", tool, Json.MAPPER.readTree(args), "i"));
    }

    private Entry result(String tool, ResultStatus status, @Nullable ToolError error) {
        return entry(What.RESULTS, ToolResult.class,
                new ToolResult("c1", tool, status,
                        error == null ? Json.MAPPER.createObjectNode().put("text", SECRET) : null, null, error, "i",
                        "coder", "t", "s", 1, false, null, 7, null, null));
    }

    private static String all(Entry entry) {
        return String.join("\n", new TailText(new Style(false), 400, ZoneOffset.UTC).lines(entry)) + "\n"
                + ShownJson.line(entry.json());
    }

    @Test
    void whatSensitiveAndUndeclaredToolsArePassedAndReturnIsShownInNoForm() {
        for (String tool : List.of("bank__pay", "gone__x")) {
            assertThat(all(call(tool, "{\"note\": \"" + SECRET + "\"}"))).doesNotContain(SECRET).contains(tool,
                    "hidden");
            assertThat(all(result(tool, ResultStatus.OK, null))).doesNotContain(SECRET).contains("ok", "hidden");
            assertThat(all(result(tool, ResultStatus.PENDING, null))).doesNotContain(SECRET).contains("pending");
            assertThat(all(result(tool, ResultStatus.ERROR, new ToolError("E_TOOL", null, SECRET, SECRET, null))))
                    .doesNotContain(SECRET).contains("E_TOOL", "hidden");
            assertThat(all(entry(What.PROGRESS, ToolProgress.class,
                    new ToolProgress("c1", tool, null, "i", null, null, null, new Progress(40.0, SECRET), AT))))
                    .doesNotContain(SECRET).contains("40 %");
        }
        assertThat(all(call("bash__exec", "{\"note\": \"" + SECRET + "\"}"))).contains("note=" + SECRET);
        assertThat(all(result("bash__exec", ResultStatus.OK, null))).contains("text=" + SECRET);
    }

    @Test
    void whatTheFleetSaysOfAToolThatNobodyDeclaresIsShown() {
        assertThat(all(result("gone__x", ResultStatus.ERROR,
                ToolError.of(ErrorCode.E_TOOL_NOT_IN_CATALOG, "It is not listed.")))).contains("It is not listed.");
        assertThat(all(result("bank__pay", ResultStatus.ERROR,
                ToolError.of(ErrorCode.E_TOOL_INVALID_ARGS, SECRET)))).doesNotContain(SECRET);
    }

    @Test
    void anErrorEventSaysItselfWhetherItIsSensitive() {
        ToolErrorEvent event = new ToolErrorEvent("c1", "any__tool", null,
                new ToolError("E_BANK", null, SECRET, SECRET, null), "i", null, null, null, null, null, 1, null, null,
                null, null, null, true, null, "w1", AT);

        assertThat(all(entry(What.ERRORS, ToolErrorEvent.class, event))).doesNotContain(SECRET).contains("E_BANK");
    }

    @Test
    void anAuditEventIsShownAsItStands() {
        AuditEvent approved = new AuditEvent(AuditEvent.Kind.DECISION, "approved", "ann", "looks right", null, null,
                new AuditedCall("c1", "bank__pay", null, "i", "coder", "t", "s", "bob", null, "sha256:f", null, null),
                "h-1", "acme/p/two", null, null, true, null, AT);
        AuditEvent switched = new AuditEvent(AuditEvent.Kind.OPERATOR, "policy-deny", "ada", "Incident 7", "bash__*",
                AT.plusSeconds(60), null, null, null, null, null, false, null, AT);

        assertThat(all(entry(What.AUDIT, AuditEvent.class, approved))).contains("bank__pay", "approved", "c1", "by ann",
                "rule acme/p/two", "looks right", "\"userId\":\"bob\"", "\"handle\":\"h-1\"");
        Entry operator = entry(What.AUDIT, AuditEvent.class, switched);
        assertThat(all(operator)).contains("bash__*", "policy-deny", "by ada", "Incident 7", "\"until\"");
        assertThat(operator.tools()).as("a glob is no tool").isEmpty();
    }

    @Test
    void argumentsThatSoundSecretAndTheModelsMessageAreLeftOut() {
        ToolCall call = ToolCall.of("c1", "bash__exec", Json.MAPPER.readTree("{\"password\": \"hunter2\", \"n\": 1}"),
                "i");
        ToolCall said = new ToolCall(call.id(), call.name(), call.args(), "i", "coder", "t", "s", 1, null, null, null,
                Json.MAPPER.readTree("{\"text\": \"" + SECRET + "\"}"), null, null, null);

        String shown = all(entry(What.CALLS, ToolCall.class, said));

        assertThat(shown).doesNotContain("hunter2", SECRET).contains("password=[REDACTED]  n=1", "\"stepId\":\"s\"");
    }

    @Test
    void whatIsNoCallIsALineTooAndReachesTheTerminalEscaped() {
        Entry entry = entries.of(What.CALLS, record("{\"id\":\"x\u009b2J\"".getBytes(StandardCharsets.UTF_8)))
                .orElseThrow();
        String evil = all(call("bash__exec", "{\"c\": \"\\u001b]0;owned\\u0007 \\u202e\"}"));

        assertThat(all(entry)).contains("unreadable", "3:17", "not JSON");
        assertThat(evil).contains("c=\\u001b]0;owned\\u0007 \\u202e").doesNotContain("\u001b", "\u0007", "\u202e");
        assertThat(entries.of(What.RESULTS, record(null))).isEmpty();
        assertThat(all(entries.of(What.RESULTS, record(new byte[]{1})).orElseThrow())).contains("unreadable");
    }

    @Test
    void aCatalogTellsItsContentAndFiltersMeanWhatItHolds() {
        Entry entry = entry(What.CATALOG, StepCatalog.class, new StepCatalog("i", "coder", "t", "s", 1,
                "sha256:123456789abcdef", null, "acme", 7, null, AT, false, List.of()));
        Entry gone = entry(What.CATALOG, StepCatalog.class, new StepCatalog("i", "coder", "t", "s", 1, "sha256:00",
                null, "", 0, null, AT, true, List.of()));

        assertThat(all(entry)).contains("catalog 123456789abc, 2 tools, acme revision 7", "current",
                "\"tools\":[\"bash__exec\",\"file__read\"]");
        assertThat(all(gone)).contains("content gone", "no bundle", "ended");
        assertThat(options("i", null, "bash__*").means(entry)).isTrue();
        assertThat(options("i", "coder", "market__*").means(entry)).isFalse();
        assertThat(options("other", null, "*").means(entry)).isFalse();
        assertThat(options("i", "porter", "*").means(entry)).isFalse();
    }

    private static TailOptions options(String instance, @Nullable String agent, String tool) {
        return new TailOptions(What.CATALOG, new TailOptions.Start.Now(), instance, agent, Glob.of(tool), 1, true,
                false);
    }
}
