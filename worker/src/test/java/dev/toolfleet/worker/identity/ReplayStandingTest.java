package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

class ReplayStandingTest {
    private static final long MINUTE = 60_000;

    private final PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(10), 2),
            System::nanoTime);

    // Otherwise: replay read, outcome published, replay published; the call seems to wait for ever.
    @Test
    void aPendingResultIsReplayedBeforeTheFinalOneIsPublished() {
        state.restorePending(handle(call("build", 1, 0), "h-1"));
        state.restoreAnswer(call("build", 1, 0).identity().text(), 0, -1,
                new EarlierAnswer(call("build", 1, 0).fingerprintDigest(), 7, MINUTE), false);

        assertThat(state.judge(call("build", 1, 1))).isInstanceOf(CallStanding.Answered.class);
        CallStanding outcome = state.judgeOutcome(call("build", 1, 0), "h-1");
        assertThat(outcome).isInstanceOfSatisfying(CallStanding.Twin.class, it -> assertThat(it.ended()).isNotDone());
        state.forget(call("build", 1, 1));

        assertThat(((CallStanding.Twin) outcome).ended()).isCompleted();
        assertThat(state.judgeOutcome(call("build", 1, 0), "h-1")).isEqualTo(new CallStanding.Fresh());
    }

    @Test
    void aForgottenPendingResultIsToldBeforeTheFinalOneIsPublished() {
        state.restorePending(handle(call("build", 1, 0), "h-1"));

        assertThat(state.judge(call("build", 1, 1))).isEqualTo(new CallStanding.Pending("h-1"));
        assertThat(state.judgeOutcome(call("build", 1, 0), "h-1")).isInstanceOf(CallStanding.Twin.class);
    }

    @Test
    void aDuplicateOfAFinishedBuildHearsItsFinalResultAfterATakeOver() {
        IdentifiedCall build = call("build", 1, 0);
        String identity = build.identity().text();
        state.restoreAnswer(identity, 0, -1, new EarlierAnswer(build.fingerprintDigest(), 7, MINUTE), false);
        state.restoreAnswer(identity, 0, -1, new EarlierAnswer(build.fingerprintDigest(), 9, 2 * MINUTE), false);
        state.restoreAnswer(identity, 3, -1, new EarlierAnswer(build.fingerprintDigest(), 11, 3 * MINUTE), true);

        assertThat(state.judge(call("build", 1, 4))).isEqualTo(new CallStanding.Answered(
                new EarlierAnswer(build.fingerprintDigest(), 9, 2 * MINUTE), false));
    }

    @Test
    void aDuplicateOfAFinishedBuildHearsItsFinalResult() {
        IdentifiedCall build = call("build", 1, 0);
        state.judge(build);
        state.committedPending(build, handle(build, "h-1"), 7, MINUTE);
        state.judgeOutcome(build, "h-1");
        state.committed(build, 9, 2 * MINUTE);

        assertThat(state.judge(call("build", 1, 4))).isEqualTo(new CallStanding.Answered(
                new EarlierAnswer(build.fingerprintDigest(), 9, 2 * MINUTE), false));
    }

    @Test
    void aReplayIsAnAnswerWhereNothingElseIsKnown() {
        IdentifiedCall build = call("build", 1, 0);
        state.restoreAnswer(build.identity().text(), 3, -1, new EarlierAnswer(build.fingerprintDigest(), 11, MINUTE),
                true);

        assertThat(state.judge(call("build", 1, 4))).isInstanceOf(CallStanding.Answered.class);
    }

    // Otherwise: the answer is forgotten meanwhile, another duplicate starts, and loses its twins.
    @Test
    void theReplayOfAFinalResultHoldsUpNothing() {
        state.restoreAnswer(call("build", 1, 0).identity().text(), 0, -1,
                new EarlierAnswer(call("build", 1, 0).fingerprintDigest(), 7, MINUTE), false);

        assertThat(state.judge(call("build", 1, 1))).isInstanceOfSatisfying(CallStanding.Answered.class,
                answered -> assertThat(answered.waits()).isFalse());
        assertThat(state.judge(call("build", 1, 2))).isInstanceOf(CallStanding.Answered.class);
    }

    private static OpenHandle handle(IdentifiedCall call, String handle) {
        ToolCall made = call.arrival().call();
        return new OpenHandle(call.identity().text(), call.fingerprint(), handle, call.arrival().position().offset(),
                made.instanceKey(), made.id(), made.agentName(), made.turnId(), made.stepId(), Instant.EPOCH);
    }

    private static IdentifiedCall call(String id, int argument, long offset) {
        return IdentifiedCall.of(new Arrival.Call(new Position(0, 1, offset),
                ToolCall.of(id, "t__run", JsonNodeFactory.instance.objectNode().put("n", argument), "i")
                        .inStep("coder", "turn", "step", 0),
                0, null, 10));
    }
}
