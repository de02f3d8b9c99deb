package dev.toolfleet.bench.verdict;

import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.load.Course;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.Work;
import dev.toolfleet.bench.verdict.UnknownCheck.UnknownOutcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// The topic of calls is deleted at 1 s and there again at 2 s.
class OwedTest {
    private final Seen seen = new Seen();

    @Test
    void aCallThatWentUnreadWithItsTopicIsExcusedAndCounted() {
        CrashReport report = seen.call("a", Kind.ONCE, 900, 5).recreated(1_000, 2_000)
                .done("b", Kind.ONCE, "w1", 2_100).report(FaultKind.RECREATE);

        assertThat(report.violations()).isEmpty();
        assertThat(report.counts().lost()).isEqualTo(1);
    }

    @Test
    void aCallOfTheNewTopicWithoutResultIsMissing() {
        assertThat(seen.call("a", Kind.ONCE, 900, 5).recreated(1_000, 2_000).call("b", Kind.ONCE, 2_100, 5)
                .broken(FaultKind.RECREATE)).containsExactly("ANSWERED b");
    }

    @Test
    void aCallThatWasWrittenAgainAfterwardsIsMissing() {
        assertThat(seen.call("a", Kind.ONCE, 900, 5).recreated(1_000, 2_000).again("a", 2_100)
                .broken(FaultKind.RECREATE)).containsExactly("ANSWERED a");
    }

    @Test
    void aCallThatIsPendingIsNotExcused() {
        assertThat(seen.call("a", Work.of(Kind.ONCE, Course.PENDING), 900).ran("a", "w1", 910, 915)
                .pending("a", "h", 920).recreated(1_000, 2_000).broken(FaultKind.RECREATE))
                .containsExactly("ANSWERED a");
    }

    @Test
    void aCallThatBeganAndWhoseTopicWasDeletedBeforeItsResultIsExcused() {
        CrashReport report = seen.call("a", Kind.ONCE, 900, 5).intent("a", "w1", 910).ran("a", "w1", 915, 920)
                .recreated(1_000, 2_000).report(FaultKind.RECREATE);

        assertThat(report.violations()).isEmpty();
        assertThat(report.counts().lost()).isEqualTo(1);
    }

    @Test
    void aCallOfTheNewTopicThatBeganIsMissing() {
        assertThat(seen.recreated(1_000, 2_000).call("a", Kind.ONCE, 2_100, 5).intent("a", "w1", 2_110)
                .ran("a", "w1", 2_115, 2_120).broken(FaultKind.RECREATE)).containsExactly("ANSWERED a");
    }

    @Test
    void theNewestTopicExcusesNothingHoweverManyWentBefore() {
        assertThat(seen.call("a", Kind.ONCE, 900, 5).recreated(1_000, 2_000).call("b", Kind.IDEMPOTENT, 2_100, 5)
                .recreated(3_000, 4_000).call("c", Kind.READ_ONLY, 4_100, 5).broken(FaultKind.RECREATE))
                .containsExactly("ANSWERED c");
    }

    @Test
    void aCallThatBeganInATopicThatWasNotDeletedIsMissing() {
        assertThat(seen.call("a", Kind.ONCE, 900, 5).intent("a", "w1", 910).ran("a", "w1", 915, 920)
                .fault(FaultKind.FORGET, "toolfleet", 1_000, 2_000).broken(FaultKind.FORGET, FaultKind.RECREATE))
                .containsExactly("ANSWERED a");
    }

    @Test
    void aCallWhoseTopicWasDeletedWhileItRanMayEndUnknown() {
        CrashReport report = seen.call("a", Kind.ONCE, 900, 5).intent("a", "w1", 910).ran("a", "w1", 915, 1_500)
                .recreated(1_000, 2_000).failed("a", 2_500, Seen.UNKNOWN).report(FaultKind.RECREATE);

        assertThat(report.violations()).isEmpty();
        assertThat(report.unknown()).extracting(UnknownOutcome::proven).containsExactly(true);
    }

    @Test
    void aCallOfTheNewTopicMayNotEndUnknownForTheOldOne() {
        assertThat(seen.recreated(1_000, 2_000).call("a", Kind.ONCE, 2_100, 5).ran("a", "w1", 2_110, 2_115)
                .failed("a", 2_200, Seen.UNKNOWN).broken(FaultKind.RECREATE)).containsExactly("KNOWN a");
    }

    @Test
    void aCallThatWasAnsweredAndIsWrittenAgainIsReplayedAndRunsOnce() {
        Seen done = seen.done("a", Kind.ONCE, "w1", 0).recreated(1_000, 2_000).again("a", 2_100);

        assertThat(done.broken(FaultKind.RECREATE)).isEmpty();
        assertThat(done.ran("a", "w1", 2_110, 2_115).answered("a", 2_120).broken(FaultKind.RECREATE))
                .containsExactly("ONE_RESULT a", "ONCE a");
    }

    @Test
    void callsOfTheNewTopicComeBehindThoseOfTheOldOneThoughTheirOffsetsAreLower() {
        assertThat(seen.done("a", Kind.ONCE, "w1", 0).done("b", Kind.ONCE, "w1", 100).recreated(1_000, 2_000)
                .done("c", Kind.ONCE, "w1", 2_100).broken(FaultKind.RECREATE)).isEmpty();
    }

    @Test
    void setBackOffsetsAndADeletedGroupExcuseNothing() {
        for (FaultKind kind : new FaultKind[]{FaultKind.REWIND, FaultKind.FORGET, FaultKind.QUOTA, FaultKind.CLOCK}) {
            assertThat(new Seen().call("a", Kind.ONCE, 0, 5).ran("a", "w1", 10, 15).fault(kind, "w1", 1_000, 2_000)
                    .failed("a", 2_500, Seen.UNKNOWN).call("b", Kind.ONCE, 900, 5).broken(kind))
                    .containsExactly("ANSWERED b", "KNOWN a");
            assertThat(new Seen().done("a", Kind.ONCE, "w1", 0).fault(kind, "w1", 1_000, 2_000)
                    .ran("a", "w2", 2_500, 2_505).broken(kind)).containsExactly("ONCE a");
        }
    }
}
