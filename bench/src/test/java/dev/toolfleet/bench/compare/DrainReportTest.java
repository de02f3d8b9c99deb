package dev.toolfleet.bench.compare;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bench.compare.DrainReport.Drained;
import dev.toolfleet.bench.load.KeyMix;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DrainReportTest {
    private static final CallLoad LOAD = new CallLoad(Duration.ofMillis(10), new KeyMix.Uniform(100), 0, 1);
    private static final AnswerVerdict CLEAN = new AnswerVerdict(0, 0, 0, 0);

    private final DrainReport report = new DrainReport(new DrainOptions(List.of(Arm.TOOLFLEET, Arm.CPC),
            List.of(LOAD), 3, 1_000, 500, new EngineOptions(List.of(), Map.of(), 0)));

    @Test
    void mediansStandBesideTheBoundAndEachOther() {
        ComparisonFindings findings = report
                .findings(List.of(drained(Arm.TOOLFLEET, 1, 5_000), drained(Arm.CPC, 1, 1_000),
                        drained(Arm.TOOLFLEET, 2, 9_000), drained(Arm.CPC, 2, 2_500), drained(Arm.TOOLFLEET, 3, 4_000),
                        drained(Arm.CPC, 3, 900)));

        assertThat(findings.kept()).isTrue();
        assertThat(findings.summary().rows()).hasSize(2);
        assertThat(findings.summary().rows().getFirst()).startsWith("10 ms, uniform:100", "toolfleet", "5,000",
                "4,000 to 9,000", "1.00×", "50.0 %", "50");
        assertThat(findings.summary().rows().getLast()).startsWith("10 ms, uniform:100", "cpc", "1,000",
                "900 to 2,500", "5.00×", "10.0 %", "10");
        assertThat(findings.measured().rows()).hasSize(6);
        assertThat(findings.notes()).anyMatch(note -> note.contains("allows 10,000 results/s"))
                .anyMatch(note -> note.contains("cpc may work on 100 calls"))
                .anyMatch(note -> note.contains("from result 600 to result 1,400"));
    }

    @Test
    void aFastWrongAnswerIsNoAnswer() {
        Drained wrong = new Drained(Entrant.of(Arm.CPC), LOAD, 1, 1e6, Duration.ZERO,
                new DrainClock.Use(0, 0, 0, List.of()), 0,
                new AnswerVerdict(0, 1, 0, 0));

        ComparisonFindings findings = report.findings(List.of(drained(Arm.TOOLFLEET, 1, 5_000), wrong));

        assertThat(findings.kept()).isFalse();
        assertThat(findings.summary().rows().getLast()).endsWith("0", "1", "0", "0");
    }

    @Test
    void eachSecondHasARowOfItsOwn() {
        assertThat(DrainReport.seconds(List.of(drained(Arm.TOOLFLEET, 2, 5_000), drained(Arm.CPC, 2, 1_000))).csv())
                .containsExactly(
                        "load,engine,round,at_ms,results_per_second,engine_cores,broker_cores,others_cores,stolen_cores",
                        "\"10 ms, uniform:100\",toolfleet,2,1000,5000.000,1.000,0.500,0.250,0.125",
                        "\"10 ms, uniform:100\",cpc,2,1000,1000.000,1.000,0.500,0.250,0.125");
    }

    private static Drained drained(Arm arm, int round, double perSecond) {
        return new Drained(Entrant.of(arm), LOAD, round, perSecond, Duration.ofSeconds(1),
                new DrainClock.Use(20, 1, 0.5, List.of(new DrainClock.Second(1_000, perSecond, 1, 0.5, 0.25, 0.125))),
                1, CLEAN);
    }
}
