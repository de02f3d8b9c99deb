package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.assignment.Position;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

/// Calls without turn and step are identified by their record, and at their offset another record may have lain before.
class RecordedCallsTest {
    private static final long BEFORE = 100_000;
    private static final long NOW = 500_000;

    private final PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(10), 10),
            System::nanoTime);

    @Test
    void aResultAnswersTheVeryRecordOnly() {
        start(true, false);
        restore(call(7, BEFORE), BEFORE, NOW + 5);

        assertThat(state.judge(call(7, NOW))).isEqualTo(new CallStanding.Fresh());
        assertThat(state.judge(call(7, BEFORE))).isEqualTo(new CallStanding.Done());
    }

    @Test
    void aResultThatNamesNoTimeAnswersWhatItCameAfter() {
        start(true, false);
        restore(call(7, NOW), -1, NOW - 50_000);
        restore(call(8, NOW), -1, NOW - 70_000);

        assertThat(state.judge(call(7, NOW))).as("brokers' clocks differ").isEqualTo(new CallStanding.Done());
        assertThat(state.judge(call(8, NOW))).isEqualTo(new CallStanding.Fresh());
    }

    // Otherwise: a handler that must not run twice starts again, or a call is skipped in silence.
    @Test
    void inALogThatMayBeAnotherWhatLiesWithinTheClocksIsDoubtful() {
        start(false, false);
        restore(call(7, NOW), -1, NOW - 50_000);
        restore(call(8, NOW), -1, NOW);

        assertThat(state.judge(call(7, NOW))).isEqualTo(new CallStanding.Doubtful());
        assertThat(state.judge(call(8, NOW))).isEqualTo(new CallStanding.Done());
    }

    @Test
    void inACopyOfAnotherClustersTopicEachIsDoubtfulThatLayThereBefore() {
        start(false, true);

        assertThat(state.judge(call(7, NOW))).isEqualTo(new CallStanding.Doubtful());
        assertThat(state.judge(call(50, NOW))).as("written since").isEqualTo(new CallStanding.Fresh());
    }

    // Otherwise: its tool would say of the old call that it happened, and the new one would be answered with that.
    @Test
    void anIntentOfAnotherRecordIsNoneOfTheCallsOwn() {
        start(false, false);
        state.restoreOpen(intent(call(7, BEFORE), Instant.ofEpochMilli(BEFORE)), -1);
        state.restoreOpen(intent(call(8, NOW), Instant.ofEpochMilli(NOW)), -1);

        assertThat(state.judge(call(7, NOW))).isEqualTo(new CallStanding.Fresh());
        assertThat(state.judge(call(8, NOW))).isInstanceOfSatisfying(CallStanding.Open.class,
                open -> assertThat(open.doubtful()).isFalse());
    }

    @Test
    void anIntentThatNamesNoTimeIsDoubtfulInALogThatMayBeAnother() {
        start(false, false);
        state.restoreOpen(intent(call(7, NOW), null), -1);

        assertThat(state.judge(call(7, NOW))).isInstanceOfSatisfying(CallStanding.Open.class,
                open -> assertThat(open.doubtful()).isTrue());
    }

    @Test
    void aCallAtTheOffsetOfOneThatStillWaitsIsAConflict() {
        start(false, false);
        IdentifiedCall waits = call(7, BEFORE);
        state.restorePending(new OpenHandle(waits.identity().text(), waits.fingerprint(), "h", 7, "i", "c", null, null,
                null, Instant.ofEpochMilli(BEFORE)));

        assertThat(state.judge(call(7, NOW))).as("the same arguments").isEqualTo(new CallStanding.Conflict());
        assertThat(state.pending()).isEqualTo(1);
    }

    private void start(boolean sameLog, boolean mirrored) {
        state.restoreStart(new LogStart(5, 50, BEFORE, sameLog, new LogStart.Doubt(mirrored, Long.MIN_VALUE)));
    }

    private void restore(IdentifiedCall call, long calledAt, long answeredAt) {
        state.restoreAnswer(call.identity().text(), call.arrival().position().offset(), calledAt,
                new EarlierAnswer(call.fingerprintDigest(), 3, answeredAt), false);
    }

    private static CallIntent intent(IdentifiedCall call, @Nullable Instant calledAt) {
        return new CallIntent(call.identity().text(), call.fingerprint(), "t__x", 1, "w1", 1, Instant.EPOCH, "m1", null,
                null, null, calledAt, null, null);
    }

    private static IdentifiedCall call(long offset, long appendedAt) {
        return IdentifiedCall.of(new Arrival.Call(new Position(0, 1, offset),
                ToolCall.of("c", "t__x", JsonNodeFactory.instance.objectNode(), "i"), appendedAt, null, 0));
    }
}
