package dev.toolfleet.bench.compare;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bench.load.KeyMix;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// That every engine answers every call once, rightly and in order; how fast is not looked at.
@Timeout(300)
@Tag("slow")
class DrainRunIT {
    private static final EngineOptions ENGINES = new EngineOptions(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
            Map.of(), 0);

    @Test
    void everyEngineAnswersEveryCallOnceAndInOrder(@TempDir Path folder) throws Exception {
        CallLoad load = new CallLoad(Duration.ZERO, new KeyMix.Skewed(40, 1), 100, 1);
        List<String> told = new ArrayList<>();
        List<Table> seconds = new ArrayList<>();

        ComparisonFindings findings = new DrainRun(
                new DrainOptions(List.of(Arm.TOOLFLEET, Arm.JOURNALED, Arm.LABELLED, Arm.RAW, Arm.CPC),
                        List.of(load), 1, 400, 100, ENGINES),
                folder, told::add, seconds::add).run();

        assertThat(findings.kept()).as("%s", findings.summary().rows()).isTrue();
        assertThat(findings.summary().rows()).extracting(row -> row.get(1)).containsExactly("toolfleet", "journaled",
                "labelled", "raw", "cpc");
        assertThat(told).hasSize(6);
        assertThat(seconds).singleElement().satisfies(table -> assertThat(table.columns()).contains("stolen_cores"));
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }
}
