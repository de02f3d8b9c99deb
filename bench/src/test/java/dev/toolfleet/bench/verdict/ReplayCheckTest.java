package dev.toolfleet.bench.verdict;

import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.load.Course;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.Work;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReplayCheckTest {
    private final Seen seen = new Seen().call("a", Work.of(Kind.ONCE, Course.PENDING), 0).again("a", 5)
            .ran("a", "w1", 10, 15).pending("a", "h", 20);

    @Test
    void aPendingCallThatIsReplayedAsItStandsIsInOrder() {
        CrashReport report = seen.again("a", 90).pendingReplayed("a", "h", 30).answered("a", 80).replayed("a", 100)
                .report(FaultKind.KILL);

        assertThat(report.violations()).isEmpty();
        assertThat(report.counts().pending()).isEqualTo(1);
        assertThat(report.counts().replayed()).isEqualTo(2);
    }

    @Test
    void aPendingReplayBehindTheFinalResultIsFound() {
        assertThat(seen.answered("a", 80).pendingReplayed("a", "h", 90).broken(FaultKind.KILL))
                .containsExactly("REPLAYS a");
    }

    @Test
    void aSecondPendingResultBehindTheFinalOneIsFound() {
        assertThat(seen.answered("a", 80).pending("a", "h", 90).broken(FaultKind.KILL)).containsExactly("REPLAYS a");
    }

    @Test
    void aReplayOfSomethingElseIsFound() {
        assertThat(seen.answered("a", 80).replayedAs("a", 90, Seen.UNKNOWN).broken(FaultKind.KILL))
                .containsExactly("REPLAYS a");
    }

    @Test
    void aReplayedHandleThatIsAnotherIsFound() {
        assertThat(seen.pendingReplayed("a", "other", 30).answered("a", 80).broken(FaultKind.KILL))
                .containsExactly("REPLAYS a");
    }

    @Test
    void aFleetThatForgotThePendingResultReplaysTheHandle() {
        assertThat(seen.handleReplayed("a", "h", 30).answered("a", 80).broken(FaultKind.KILL)).isEmpty();
    }

    @Test
    void aReplayOfNothingIsFound() {
        assertThat(new Seen().call("b", Kind.ONCE, 0, 5).replayed("b", 10).broken(FaultKind.KILL))
                .containsExactly("REPLAYS b");
    }
}
