package dev.toolfleet.worker.assignment;

import java.time.Duration;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HeartbeatLeaseTest {
    private long now = 1_000;
    private double answers;
    private boolean joining;
    private final HeartbeatLease lease = new HeartbeatLease(Duration.ofSeconds(6), Duration.ofSeconds(20),
            () -> now * 1_000_000);

    @Test
    void answersRenewTheLeaseAndSilenceEndsIt() {
        for (int i = 0; i < 100; i++) {
            answers++;
            sampleAfter(500);
        }
        assertThat(lease.expired()).isFalse();

        // The last answer was found at the last sample, so it may have come right after the one before.
        sampleAfter(5_500);
        assertThat(lease.expired()).isFalse();
        sampleAfter(1);
        assertThat(lease.expired()).isTrue();
        assertThat(lease.age()).isEqualTo(Duration.ofMillis(6_001));
    }

    @Test
    @DisplayName("X-07: a worker that was frozen past its lease publishes nothing any more")
    void aFrozenProcessIsExpiredWithItsFirstInstruction() {
        answers++;
        sampleAfter(100);

        now += 6_001;

        assertThat(lease.expired()).isTrue();
    }

    @Test
    void anAnswerThatWasReadAfterTheFreezeDoesNotCount() {
        sampleAfter(100);
        now += 10_000;
        answers++;
        sampleAfter(0);

        assertThat(lease.expired()).isTrue();
    }

    @Test
    void waitingForTheGroupsOtherMembersIsNoSilence() {
        joining = true;
        for (int i = 0; i < 199; i++)
            sampleAfter(100);
        assertThat(lease.expired()).isFalse();

        now += 6_101;
        assertThat(lease.expired()).as("frozen meanwhile").isTrue();
    }

    @Test
    void aWaitThatNeverEndsIsSilence() {
        joining = true;
        for (int i = 0; i < 300; i++)
            sampleAfter(100);

        assertThat(lease.expired()).isTrue();
    }

    @Test
    void aJoinThatFollowsAnotherWithinOneSampleIsWaitedForAnew() {
        joining = true;
        for (int i = 0; i < 190; i++)
            sampleAfter(100);
        answers++;
        for (int i = 0; i < 190; i++)
            sampleAfter(100);

        assertThat(lease.expired()).isFalse();
    }

    @Test
    void aLeaseBeginsWhenItIsTold() {
        now += 20_000;
        lease.begin();
        assertThat(lease.expired()).isFalse();
    }

    private void sampleAfter(long millis) {
        now += millis;
        lease.sample(now * 1_000_000, answers, joining);
    }
}
