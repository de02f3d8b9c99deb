package dev.toolfleet.cli.console;

import java.time.Instant;
import java.util.Collections;
import java.util.List;

import dev.toolfleet.cli.fleet.AuditedWrite;
import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.console.operate.OperatorCommands.Author;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallStage;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.CallWait;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CallCancellationTest {
    private static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");
    private static final Author ADA = new Author("ada", null);

    @Test
    void aCallIsNamedByItsIdsAndAWaitByItsHandle() {
        CallView runs = view(4, CallStage.RUNNING, null);
        CallView waits = view(5, CallStage.PENDING, "h-1");

        CallCancellation cancellation = CallCancellation.of(List.of(runs, waits, view(6, CallStage.ENDED, null), runs),
                ADA);

        assertThat(cancellation.calls()).containsExactly(runs, waits);
        assertThat(cancellation.ended()).extracting(CallView::id).containsExactly(new CallId(3, 6));
        List<AuditedWrite.Entry<?>> entries = cancellation.entries(NOW);
        assertThat(entries).extracting(AuditedWrite.Entry::topic)
                .containsExactly(Topic.CONTROL, Topic.AUDIT, Topic.CONTROL, Topic.AUDIT);
        assertThat(entries).extracting(AuditedWrite.Entry::key).containsExactly("i", "3/4", "i", "3/5");
        assertThat(entries.get(0).value())
                .isEqualTo(new CancelCall("i", "c4", "s", null, "ada", null, "coder", "t"));
        assertThat(entries.get(2).value())
                .isEqualTo(new CancelCall("i", null, null, "h-1", "ada", null, null, null));
        AuditEvent event = (AuditEvent) entries.get(3).value();
        assertThat(event.kind() + " " + event.action() + " " + event.by() + " " + event.target())
                .isEqualTo("OPERATOR cancel ada 3/5");
        assertThat(event.call()).isNotNull();
    }

    @Test
    void noCallAndTooManyAreRefused() {
        assertThatThrownBy(() -> CallCancellation.of(List.of(), ADA)).isInstanceOf(Failure.class)
                .hasMessageContaining("no call was named");
        List<CallView> many = Collections.nCopies(CallCancellation.MOST + 1, view(1, CallStage.RUNNING, null));
        assertThatThrownBy(() -> CallCancellation.of(many, ADA)).isInstanceOf(Failure.class)
                .hasMessageContaining("1001 calls are too many");
    }

    private static CallView view(long offset, CallStage stage, @Nullable String handle) {
        ToolCall call = ToolCall.of("c" + offset, "t__x", Json.MAPPER.createObjectNode(), "i").inStep("coder", "t", "s",
                1);
        CallWait wait = handle == null
                ? null
                : new CallWait(handle, PendingCall.Kind.ASYNC, null, null, NOW, NOW.plusSeconds(60), null);
        return new CallView(new CallId(3, offset), call, NOW, stage, null, null, wait, List.of(), null,
                EventId.ACCEPTED);
    }
}
