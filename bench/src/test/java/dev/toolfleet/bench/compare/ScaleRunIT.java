package dev.toolfleet.bench.compare;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import dev.toolfleet.bench.compare.ScaleRun.ScaleOptions;
import dev.toolfleet.bench.load.KeyMix;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// That fleets of several workers answer every call once, and what the report compares; how fast is not looked at.
@Timeout(300)
class ScaleRunIT {
    private static final RateOptions.Schedule RESTART = new RateOptions.Schedule(20, Duration.ofSeconds(1),
            Duration.ofSeconds(10));
    private static final DrainOptions DRAIN = new DrainOptions(List.of(Arm.TOOLFLEET),
            List.of(new CallLoad(Duration.ofMillis(1), new KeyMix.Uniform(40), 100, 1)), 1, 400, 100,
            new EngineOptions(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"), Map.of(), 0));

    @Test
    @Tag("slow")
    void eachFleetStandsBesideTheFirstAndBesideALine(@TempDir Path folder) throws Exception {
        ComparisonFindings findings = new ScaleRun(
                new ScaleOptions(DRAIN, List.of(1, 3), OptionalDouble.empty(), RESTART, 50), folder,
                new ArrayList<String>()::add).run();

        assertThat(findings.kept()).as("%s", findings.summary().rows()).isTrue();
        assertThat(findings.summary().rows()).extracting(row -> row.get(1)).containsExactly("1 worker", "3 workers",
                "2 workers, both restarted");
        assertThat(findings.summary().rows().getFirst()).contains("1.00×", "1.00", "true");
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }

    @Test
    void workersAndTheirShareHaveBounds() {
        assertThatThrownBy(() -> new ScaleOptions(DRAIN, List.of(1, 13), OptionalDouble.empty(), RESTART, 1))
                .hasMessageStartingWith("workers is [1, 13]; each must be 1 to 12");
        assertThatThrownBy(() -> new ScaleOptions(DRAIN, List.of(1), OptionalDouble.of(0), RESTART, 1))
                .hasMessageStartingWith("share is 0.0; it must be 0.05 to");
        assertThatThrownBy(() -> new ScaleOptions(DRAIN, List.of(1), OptionalDouble.empty(), RESTART, 0))
                .hasMessageStartingWith("max-in-flight is 0");
    }
}
