package dev.toolfleet.worker.execute;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CarrierStarvationTest {
    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(CarrierStarvation.LOOK_MILLIS);

    private final CarrierStarvation demand = new CarrierStarvation(0);
    private long now;

    private boolean look(long queued, long moves) {
        now += STEP;
        return demand.spreads(queued, moves, now);
    }

    @Test
    void aQueueThatMovesIsNoReason() {
        for (int moves = 0; moves < 100; moves++)
            assertThat(look(5_000, moves)).isFalse();
    }

    @Test
    void standingStillIsNoReasonWhileNobodyWaits() {
        for (int looks = 0; looks < 100; looks++)
            assertThat(look(0, 7)).isFalse();
    }

    @Test
    void whoWaitsBehindHandlersThatDoNotMoveGetsMore() {
        for (int looks = 0; looks < CarrierStarvation.STUCK; looks++)
            assertThat(look(1, 7)).isFalse();
        assertThat(look(1, 7)).isTrue();
    }

    @Test
    void oneMoveInBetweenBeginsTheCountAgain() {
        for (int looks = 0; looks < CarrierStarvation.STUCK; looks++)
            look(1, 7);
        for (int looks = 0; looks < CarrierStarvation.STUCK; looks++)
            assertThat(look(1, 8)).isFalse();
        assertThat(look(1, 8)).isTrue();
    }

    @Test
    void moreAreKeptForAWhileAfterTheyWereLastNeeded() {
        need();

        assertThat(keptMillis()).isEqualTo(CarrierStarvation.KEPT_MILLIS);
    }

    @Test
    void whatIsNeededAgainSoonIsKeptForTwiceAsLongUpToABound() {
        long expected = CarrierStarvation.KEPT_MILLIS;
        for (int times = 0; times < 10; times++) {
            need();
            assertThat(keptMillis()).isEqualTo(expected);
            expected = Math.min(2 * expected, CarrierStarvation.LONGEST_KEPT_MILLIS);
        }
        now += TimeUnit.MILLISECONDS.toNanos(2 * CarrierStarvation.LONGEST_KEPT_MILLIS);
        need();
        assertThat(keptMillis()).as("after a long while").isEqualTo(CarrierStarvation.KEPT_MILLIS);
    }

    private void need() {
        for (int looks = 0; looks <= CarrierStarvation.STUCK; looks++)
            look(1, 7);
    }

    /// Looks until they are given back.
    private long keptMillis() {
        long needed = now;
        while (look(0, 8))
            assertThat(now - needed).isLessThan(TimeUnit.HOURS.toNanos(1));
        return TimeUnit.NANOSECONDS.toMillis(now - needed);
    }
}
