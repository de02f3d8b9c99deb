package dev.toolfleet.cli.handle;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.cli.table.Style;
import dev.toolfleet.cli.table.View;
import dev.toolfleet.client.HandleState;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolProgress;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HandleTextTest {
    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");

    private final HandleText text = new HandleText(new View(new Style(false), 140, NOW));

    @Test
    void theTableTellsAgeDeadlineAndWhatWasHeardLast() {
        List<String> lines = text.table(List.of(
                new HandleState.Open(pending("build-1", PendingCall.Kind.ASYNC), Optional.of(progress("linking"))),
                new HandleState.Open(pending("ask-1", PendingCall.Kind.APPROVAL), Optional.empty())));

        assertThat(lines.get(2))
                .isEqualTo("build-1  builds__start  i         2 h 05 min  22 h 00 min  30 s ago  60 %  linking");
        assertThat(lines.get(3)).contains("ask-1").contains("–").endsWith("waits for a decision");
    }

    @Test
    void aLongHandleLeavesRoomForTheRest() {
        List<String> lines = text.table(List.of(
                new HandleState.Open(pending("h".repeat(1000), PendingCall.Kind.ASYNC), Optional.empty())));

        assertThat(lines.get(2)).contains("hhh…").contains("builds__start");
    }

    @Test
    void theCardShowsWhatACompletionNeeds() {
        PendingCall call = new PendingCall("build-1", PendingCall.Kind.ASYNC, call(), 3, 4711, null,
                Json.MAPPER.createObjectNode().put("message", "started"), NOW.minusSeconds(1), Duration.ofMinutes(5),
                "sha256:00", NOW.minusSeconds(60), null);

        assertThat(text.card(new HandleState.Open(call, Optional.empty()))).contains(
                "State         open for 1 min, overdue since 2030-01-01T11:59:59Z",
                "Record        tool.call partition 3, offset 4711",
                "Arguments     path=.", "First result  message=started", "Heard         nothing since it began",
                "Heartbeat     it expires when it is silent for 5 min", "Token         a completion must carry one");
    }

    @Test
    void jsonHidesTheHashOfTheToken() {
        PendingCall call = new PendingCall("build-1", PendingCall.Kind.ASYNC, call(), 3, 4711, null, null, NOW, null,
                "sha256:00", NOW, null);

        assertThat(HandleJson.of(new HandleState.Open(call, Optional.empty())).toString())
                .contains("\"tokenRequired\":true").doesNotContain("sha256");
    }

    @Test
    void aWaitThatNamesItsTargetShowsIt() {
        PendingCall call = new PendingCall("build-1", PendingCall.Kind.ASYNC, call(), 3, 4711, null, null, NOW, null,
                null, NOW, null, null, "farm\n7");
        HandleState.Open silent = new HandleState.Open(call, Optional.empty());

        assertThat(text.table(List.of(silent)).get(2)).endsWith("waits for farm⏎7");
        assertThat(text.table(List.of(new HandleState.Open(call, Optional.of(progress("linking"))))).get(2))
                .endsWith("linking");
        assertThat(text.card(silent)).contains("Waits for     farm⏎7");
        assertThat(HandleJson.of(silent).path("target").stringValue()).isEqualTo("farm\n7");
    }

    private static PendingCall pending(String handle, PendingCall.Kind kind) {
        return new PendingCall(handle, kind, call(), 0, 1, null, null, NOW.plus(Duration.ofHours(22)), null, null,
                NOW.minus(Duration.ofMinutes(125)), null);
    }

    private static ToolProgress progress(String message) {
        return new ToolProgress("c", "builds__start", "build-1", "i", null, null, null, new Progress(60.0, message),
                NOW.minusSeconds(30));
    }

    private static ToolCall call() {
        return ToolCall.of("c", "builds__start", Json.MAPPER.createObjectNode().put("path", "."), "i");
    }
}
