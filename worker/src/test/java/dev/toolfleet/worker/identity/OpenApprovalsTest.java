package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.assignment.Position;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Bound on the calls of an instance that wait for a person: counted from the journal, and from the time of the
/// question.
class OpenApprovalsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int MOST = 2;

    private final PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(1), 10), () -> 0);

    private static IdentifiedCall call(String id, String instance) {
        ToolCall call = ToolCall.of(id, "t__run", Json.MAPPER.createObjectNode(), instance).inStep("coder", "t", "s",
                0);
        return IdentifiedCall
                .of(new Arrival.Call(new Position(0, 1, id.hashCode()), call, NOW.toEpochMilli(), null, 1));
    }

    private static OpenHandle handle(IdentifiedCall call, boolean approval) {
        ToolCall made = call.arrival().call();
        return new OpenHandle(call.identity().text(), call.fingerprint(), "h-" + made.id(),
                call.arrival().position().offset(), made.instanceKey(), made.id(), null, null, null, NOW,
                approval ? null : new ToolRef("b", "t", "run"), approval ? call.fingerprint() : null);
    }

    private static ResumedCall.Grant grant(String id) {
        return new ResumedCall.Grant("h-" + id, call(id, "i").fingerprint(), "r", null, null, null, "ann", NOW);
    }

    private boolean mayAsk(String id) {
        IdentifiedCall call = call(id, "i");
        state.judge(call);
        return state.mayAsk(call, MOST);
    }

    private void waits(String id) {
        state.committedPending(call(id, "i"), handle(call(id, "i"), true), 1, 1);
    }

    @Test
    void callsThatAreAskedAboutCountBeforeTheyAreCommitted() {
        assertThat(mayAsk("a")).isTrue();
        assertThat(mayAsk("b")).isTrue();
        assertThat(mayAsk("c")).as("beside the others, nothing is on the journal yet").isFalse();
        assertThat(mayAsk("a")).as("the same call counts once").isTrue();
        assertThat(state.mayAsk(call("x", "another"), MOST)).isTrue();

        waits("a");
        waits("b");
        assertThat(mayAsk("d")).as("and once when they wait").isFalse();
    }

    @Test
    void anHeirCountsWhatStandsOnTheJournal() {
        state.restorePending(handle(call("a", "i"), true));
        state.restorePending(handle(call("b", "i"), true));
        state.restorePending(handle(call("w", "i"), false));
        assertThat(mayAsk("c")).isFalse();

        state.restoreClosed(call("a", "i").identity().text());
        assertThat(mayAsk("c")).isTrue();
    }

    @Test
    void anApprovalThatEndsMakesRoom() {
        mayAsk("a");
        mayAsk("b");
        waits("a");
        waits("b");

        state.judgeOutcome(call("a", "i"), "h-a");
        state.committed(call("a", "i"), 2, 2);

        assertThat(mayAsk("c")).as("rejected, expired or cancelled").isTrue();
        assertThat(mayAsk("d")).isFalse();
        assertThat(state.judgeGrant(call("b", "i"), grant("b"))).isEqualTo(new CallStanding.Fresh());
        assertThat(mayAsk("d")).as("a call that was granted waits for nobody").isTrue();
    }

    @Test
    void aCallThatEndsWithoutAQuestionMakesRoom() {
        mayAsk("a");
        mayAsk("b");

        state.committed(call("a", "i"), 2, 2);
        state.left(call("b", "i"));

        assertThat(mayAsk("c")).isTrue();
        assertThat(mayAsk("d")).isTrue();
    }

    @Test
    void aCallThatIsAskedAboutAnewCountsAgain() {
        mayAsk("a");
        waits("a");
        state.judgeGrant(call("a", "i"), grant("a"));
        assertThat(state.mayAsk(call("a", "i"), MOST)).isTrue();
        waits("a");

        assertThat(mayAsk("b")).isTrue();
        assertThat(mayAsk("c")).isFalse();
    }

    @Test
    void anApprovedCallThatFinishesLaterDoesNotCount() {
        mayAsk("a");
        waits("a");
        state.judgeGrant(call("a", "i"), grant("a"));
        state.committedPending(call("a", "i"), handle(call("a", "i"), false), 2, 2);

        assertThat(mayAsk("b")).isTrue();
        assertThat(mayAsk("c")).isTrue();
    }
}
