package dev.toolfleet.bench.command;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bench.steps.StepsReport;
import dev.toolfleet.bench.steps.StepsReport.Cost;
import dev.toolfleet.bench.steps.StepsReport.Latency;
import dev.toolfleet.bench.steps.StepsReport.Phase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StepsBenchTest {
    @Test
    void eachIntervalHasItsLine() {
        List<String> lines = StepsBench
                .lines(new StepsReport(List.of(phase("20", 15_000, 61), phase("100", 15_000, 142))));

        assertThat(lines).hasSize(4);
        assertThat(lines.get(1)).contains("commit.interval.ms=20", "500/s", "61 ms", "712", "0.40 c");
        assertThat(lines.get(2)).contains("commit.interval.ms=100", "142 ms");
        assertThat(lines.getLast()).startsWith("Every step was answered");
    }

    @Test
    void whatWasMissedIsSaid() {
        assertThat(StepsBench.lines(new StepsReport(List.of(phase("20", 14_990, 61)))))
                .contains("Of 15,000 steps, 10 were not answered.").last().asString().startsWith("Not so");
        assertThat(StepsBench.lines(new StepsReport(List.of(phase("20", 15_000, 81))))).last().asString()
                .contains("within 80 ms");
    }

    private static Phase phase(String interval, int answered, int p99) {
        return new Phase(Map.of("commit.interval.ms", interval), 15_000, answered, 500.0,
                new Latency(Duration.ofMillis(30), Duration.ofMillis(50), Duration.ofMillis(p99),
                        Duration.ofMillis(210)),
                new Cost(712, 300, 0.4, 0.5, 12));
    }
}
