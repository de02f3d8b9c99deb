package dev.toolfleet.bench.verdict;

import dev.toolfleet.bench.fault.FaultKind;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.verdict.UnknownCheck.UnknownOutcome;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UnknownCheckTest {
    private final Seen seen = new Seen().call("a", Kind.ONCE, 0, 100);

    @Test
    void aKillBetweenStartAndResultExplainsIt() {
        CrashReport report = seen.began("a", "w1", 10).fault(FaultKind.KILL, "w1", 50, 51)
                .failed("a", 8_000, Seen.UNKNOWN).report(FaultKind.KILL);

        assertThat(report.violations()).isEmpty();
        assertThat(report.unknown()).extracting(UnknownOutcome::proven).containsExactly(true);
    }

    @Test
    void aKillAfterTheEffectAndBeforeTheResultExplainsIt() {
        assertThat(seen.ran("a", "w1", 10, 110).fault(FaultKind.KILL, "w1", 115, 116)
                .failed("a", 8_000, Seen.UNKNOWN).broken(FaultKind.KILL)).isEmpty();
    }

    @Test
    void aKillBetweenIntentAndStartExplainsIt() {
        assertThat(seen.intent("a", "w1", 10).fault(FaultKind.KILL, "w1", 11, 12).failed("a", 8_000, Seen.UNKNOWN)
                .broken(FaultKind.KILL)).isEmpty();
    }

    @Test
    void aFreezeExplainsIt() {
        assertThat(seen.ran("a", "w1", 10, 9_000).fault(FaultKind.FREEZE, "w1", 20, 8_900)
                .failed("a", 7_000, Seen.UNKNOWN).broken(FaultKind.FREEZE)).isEmpty();
    }

    @Test
    void aBrokerThatWasAwayExplainsItAndALittleLonger() {
        assertThat(seen.ran("a", "w1", 13_000, 13_100).fault(FaultKind.BROKER, "broker", 5_000, 9_000)
                .failed("a", 14_000, Seen.UNKNOWN).broken(FaultKind.BROKER)).isEmpty();
    }

    @Test
    void theDeathOfAnotherWorkerExplainsNothing() {
        assertThat(seen.ran("a", "w1", 10, 110).fault(FaultKind.KILL, "w2", 50, 51).failed("a", 8_000, Seen.UNKNOWN)
                .broken(FaultKind.KILL)).containsExactly("KNOWN a");
    }

    @Test
    void aFaultBeforeTheStartOrAfterTheResultExplainsNothing() {
        assertThat(seen.fault(FaultKind.FREEZE, "w1", 1, 5).ran("a", "w1", 10, 110).failed("a", 120, Seen.UNKNOWN)
                .fault(FaultKind.KILL, "w1", 200, 201).broken(FaultKind.KILL)).containsExactly("KNOWN a");
    }

    @Test
    void aPlannedStopExplainsNothing() {
        assertThat(seen.ran("a", "w1", 10, 110).fault(FaultKind.STOP, "w1", 50, 500).failed("a", 8_000, Seen.UNKNOWN)
                .broken(FaultKind.KILL, FaultKind.STOP)).containsExactly("KNOWN a");
    }

    @Test
    void aCallThatNobodyBeganOrAnnouncedCannotBeUnknown() {
        assertThat(seen.fault(FaultKind.KILL, "w1", 50, 51).failed("a", 8_000, Seen.UNKNOWN).broken(FaultKind.KILL))
                .containsExactly("KNOWN a");
    }

    @Test
    void anEffectTwiceIsNoUnknownOutcome() {
        assertThat(seen.began("a", "w1", 10).fault(FaultKind.KILL, "w1", 50, 51).ran("a", "w2", 7_000, 7_100)
                .failed("a", 8_000, Seen.UNKNOWN).broken(FaultKind.KILL)).containsExactly("ONCE a", "KNOWN a");
    }

    @Test
    void aWorkerThatNotedTheCallAfterADeathAndDiesExplainsIt() {
        assertThat(
                suspected().fault(FaultKind.KILL, "w1", 50, 51).suspect("b", "w2", 9_000).ran("b", "w2", 9_010, 9_100)
                        .fault(FaultKind.FREEZE, "w2", 9_050, 20_000).failed("b", 16_000, Seen.UNKNOWN)
                        .broken(FaultKind.KILL, FaultKind.FREEZE))
                .isEmpty();
    }

    @Test
    void aNoteOrADeathAloneExplainsNothingOfARepeatableCall() {
        assertThat(suspected().suspect("b", "w2", 9_000).ran("b", "w2", 9_010, 9_100)
                .fault(FaultKind.KILL, "w2", 9_050, 9_051).failed("b", 16_000, Seen.UNKNOWN)
                .broken(FaultKind.KILL)).containsExactly("KNOWN b");
        assertThat(suspected().fault(FaultKind.KILL, "w1", 50, 51).intent("b", "w2", 9_000)
                .fault(FaultKind.KILL, "w2", 9_050, 9_051).failed("b", 16_000, Seen.UNKNOWN)
                .broken(FaultKind.KILL)).as("not noted").containsExactly("KNOWN b");
    }

    private static Seen suspected() {
        return new Seen().call("b", Kind.IDEMPOTENT, 100, 100);
    }

    @Test
    void plannedStopsAloneMustLeaveNothingUnknown() {
        assertThat(seen.ran("a", "w1", 10, 110).fault(FaultKind.STOP, "w1", 50, 500).failed("a", 600, Seen.UNKNOWN)
                .broken(FaultKind.STOP)).containsExactly("KNOWN a", "STOPS_ARE_CLEAN a");
    }

    @Test
    void twoDeathsExplainThatARepeatableCallIsGivenUp() {
        assertThat(repeatable().fault(FaultKind.KILL, "w2", 60, 61).failed("b", 8_000, Seen.UNKNOWN)
                .broken(FaultKind.KILL)).isEmpty();
    }

    @Test
    void oneDeathExplainsNothingOfARepeatableCall() {
        assertThat(repeatable().failed("b", 8_000, Seen.UNKNOWN).broken(FaultKind.KILL)).containsExactly("KNOWN b");
    }

    @Test
    void aDeathAfterTheRunExplainsNothingOfARepeatableCall() {
        assertThat(new Seen().call("b", Kind.IDEMPOTENT, 0, 100).began("b", "w1", 10)
                .fault(FaultKind.KILL, "w1", 20, 21).ran("b", "w2", 50, 100).fault(FaultKind.KILL, "w2", 200, 201)
                .failed("b", 8_000, Seen.UNKNOWN).broken(FaultKind.KILL)).containsExactly("KNOWN b");
    }

    /// Began twice; the first worker was killed meanwhile.
    private static Seen repeatable() {
        return new Seen().call("b", Kind.IDEMPOTENT, 0, 100).began("b", "w1", 10)
                .fault(FaultKind.KILL, "w1", 20, 21).began("b", "w2", 50);
    }
}
