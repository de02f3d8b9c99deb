package dev.toolfleet.bench.steps;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bench.steps.StepsRun.StepsOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(600)
@Tag("slow")
class StepsRunIT {
    @Test
    void everyStepIsAnsweredAndWhatItCostIsSeen(@TempDir Path folder) throws Exception {
        List<String> told = new ArrayList<>();

        StepsReport report = new StepsRun(
                new StepsOptions(100, Duration.ofSeconds(2), List.of(Map.of())), folder, told::add).run();

        StepsReport.Phase phase = report.phases().getFirst();
        assertThat(phase.sent()).isEqualTo(200);
        assertThat(phase.answered()).isEqualTo(200);
        assertThat(phase.latency().p50()).isPositive().isLessThanOrEqualTo(phase.latency().max());
        assertThat(phase.cost().bytesPerStep()).isBetween(100.0, 1_500.0);
        assertThat(phase.cost().marksPerSecond()).isPositive();
        assertThat(phase.cost().contents()).isBetween(1, 12);
        assertThat(told).hasSize(2);
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }
}
