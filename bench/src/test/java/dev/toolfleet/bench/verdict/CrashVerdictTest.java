package dev.toolfleet.bench.verdict;

import java.time.Duration;
import java.util.Map;

import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.load.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// A run in which all went well passes, and each thing that may go wrong with answers and effects is found.
class CrashVerdictTest {
    private final Seen seen = new Seen();

    @Test
    void aRunInWhichAllWentWellPasses() {
        CrashReport report = seen.done("a", Kind.ONCE, "w1", 0).done("b", Kind.READ_ONLY, "w1", 100)
                .done("c", Kind.IDEMPOTENT, "w2", 200).report(FaultKind.KILL);

        assertThat(report.kept()).isTrue();
        assertThat(report.counts().calls()).isEqualTo(3);
        assertThat(report.counts().results()).isEqualTo(3);
        assertThat(report.effectsPerCall().get(Kind.ONCE)).containsOnly(Map.entry(1, 1L));
    }

    @Test
    void takeOversAreCountedAndTheirLongestShown() {
        for (int n = 1; n <= 10; n++)
            seen.takenOver(n * 100L, n <= 2);
        CrashReport report = seen.report(FaultKind.KILL);

        assertThat(report.warmTakeOvers().count()).as("of workers that had been ready").isEqualTo(2);
        assertThat(report.warmTakeOvers().longest()).isEqualTo(Duration.ofMillis(200));
        assertThat(report.takeOvers()).isEqualTo(new CrashReport.TakeOvers(10,
                Duration.ofMillis(500), Duration.ofMillis(900), Duration.ofMillis(1_000)));
    }

    @Test
    void aCallWithoutResultIsMissing() {
        assertThat(seen.done("a", Kind.ONCE, "w1", 0).call("b", Kind.ONCE, 50, 5).ran("b", "w1", 60, 65)
                .broken(FaultKind.KILL)).containsExactly("ANSWERED b");
    }

    @Test
    void aDuplicateWithoutReplayIsMissing() {
        assertThat(seen.calledTwice("a", Kind.ONCE).ran("a", "w1", 10, 15).answered("a", 20).broken(FaultKind.KILL))
                .containsExactly("ANSWERED a");
    }

    @Test
    void aReplayedDuplicateIsInOrder() {
        CrashReport report = seen.calledTwice("a", Kind.ONCE).ran("a", "w1", 10, 15).answered("a", 20)
                .done("b", Kind.ONCE, "w1", 30).replayed("a", 60).report(FaultKind.KILL);

        assertThat(report.violations()).isEmpty();
        assertThat(report.counts().replayed()).isEqualTo(1);
    }

    @Test
    void aSecondResultThatIsNotReplayedIsADuplicate() {
        assertThat(seen.done("a", Kind.IDEMPOTENT, "w1", 0).ran("a", "w2", 30, 35).answered("a", 40)
                .broken(FaultKind.KILL)).containsExactly("ONE_RESULT a");
    }

    @Test
    void aCallThatMustNotRunTwiceAndDidIsFound() {
        assertThat(seen.call("a", Kind.ONCE, 0, 5).began("a", "w1", 10).fault(FaultKind.KILL, "w1", 11, 12)
                .ran("a", "w2", 30, 35).answered("a", 40).broken(FaultKind.KILL)).containsExactly("ONCE a");
    }

    @Test
    void otherCallsMayRunAgain() {
        CrashReport report = seen.call("a", Kind.IDEMPOTENT, 0, 5).began("a", "w1", 10)
                .fault(FaultKind.KILL, "w1", 11, 12).ran("a", "w2", 30, 35).answered("a", 40).report(FaultKind.KILL);

        assertThat(report.violations()).isEmpty();
        assertThat(report.effectsPerCall().get(Kind.IDEMPOTENT)).containsOnly(Map.entry(2, 1L));
    }

    @Test
    void anErrorThatTheToolsDoNotMakeIsFound() {
        assertThat(seen.call("a", Kind.ONCE, 0, 5).failed("a", 20, "E_TOOL_NOT_FOUND").broken(FaultKind.KILL))
                .containsExactly("NO_ERRORS a");
    }

    @Test
    void aCallThatMayRunAgainFailsWhenItsHostEndedTwice() {
        assertThat(seen.call("a", Kind.READ_ONLY, 0, 5).began("a", "w1", 10).fault(FaultKind.HOST, "w1", 11, 12)
                .began("a", "w1", 20).fault(FaultKind.HOST, "w1", 21, 22).failed("a", 30, "E_TOOL")
                .broken(FaultKind.HOST)).isEmpty();
    }

    @Test
    void oneEndOfAHostFailsNoCall() {
        assertThat(seen.call("a", Kind.READ_ONLY, 0, 5).began("a", "w1", 10).fault(FaultKind.HOST, "w1", 11, 12)
                .fault(FaultKind.HOST, "w2", 21, 22).fault(FaultKind.HOST, "w1", 40, 41).failed("a", 30, "E_TOOL")
                .broken(FaultKind.HOST)).containsExactly("NO_ERRORS a");
    }

    @Test
    void aCallThatMustNotRunTwiceIsUnknownAndNotFailed() {
        assertThat(seen.call("a", Kind.ONCE, 0, 5).began("a", "w1", 10).fault(FaultKind.HOST, "w1", 11, 12)
                .fault(FaultKind.HOST, "w1", 21, 22).failed("a", 30, "E_TOOL").broken(FaultKind.HOST))
                .containsExactly("NO_ERRORS a");
    }

    @Test
    void acknowledgedCallsThatAreGoneSpoilTheRun() {
        assertThat(seen.done("a", Kind.ONCE, "w1", 0).gone("a, partition 1 offset 0").broken(FaultKind.BROKER))
                .containsExactly("CALLS_KEPT tool.call");
    }

    @Test
    void aWorkerThatEndedByItselfIsFound() {
        assertThat(seen.done("a", Kind.ONCE, "w1", 0).collapsed("w1").broken(FaultKind.KILL))
                .containsExactly("WORKERS_LIVE w1");
    }
}
