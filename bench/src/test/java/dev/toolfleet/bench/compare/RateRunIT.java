package dev.toolfleet.bench.compare;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import dev.toolfleet.bench.compare.RateOptions.Schedule;
import dev.toolfleet.bench.compare.RateReport.Rated;
import dev.toolfleet.bench.load.KeyMix;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(300)
@Tag("slow")
class RateRunIT {
    private static final EngineOptions ENGINES = new EngineOptions(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
            Map.of(), 0);
    private static final CallLoad LOAD = new CallLoad(Duration.ofMillis(5), new KeyMix.Uniform(40), 100, 1);

    @Test
    void noCallIsLostWhileWorkersAreReplaced(@TempDir Path folder) throws Exception {
        Schedule schedule = new Schedule(50, Duration.ofSeconds(1), Duration.ofSeconds(4));
        RateRun run = new RateRun(new RateOptions(List.of(Arm.TOOLFLEET), List.of(LOAD), 1, schedule, ENGINES), folder,
                line -> {});
        try (Ground ground = Ground.start(folder, line -> {})) {
            Rated rated = run.one(ground, new Entrant("2 workers", Arm.TOOLFLEET, 2, Map.of(), OptionalDouble.empty()),
                    LOAD, 1,
                    Engines::restartEach);

            assertThat(rated.verdict()).isEqualTo(new AnswerVerdict(0, 0, 0, 0));
            assertThat(rated.all().count()).isEqualTo(200);
            assertThat(rated.all().at(50)).isGreaterThanOrEqualTo(LOAD.work());
            assertThat(rated.mostOpen()).isPositive();
        }
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }
}
