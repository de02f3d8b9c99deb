package dev.toolfleet.worker.simulation;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/// G1 to G4 in worlds where everything goes wrong. What a seed does, step by step, is printed with
/// `-Dtoolfleet.simulation.seed=4711`; more of them run with `-Dtoolfleet.simulation.seeds=100000`, and others with
/// `-Dtoolfleet.simulation.first=2000`.
@Isolated("silences the engine's logs and computes on every processor")
class SimulationTest {
    private static final long FIRST = Long.getLong("toolfleet.simulation.first", 0);
    private static final int SEEDS = Integer.getInteger("toolfleet.simulation.seeds", 500);
    /// Including those of every build.
    private static final int SEEDS_OF_THE_SLOW_TESTS = 2_000;
    private static final Logger ENGINE = (Logger) LoggerFactory.getLogger("dev.toolfleet.worker");

    /// Failures are what it is about.
    @BeforeAll
    static void silence() {
        // The log is a part of the trace of a single world.
        ENGINE.setLevel(Long.getLong("toolfleet.simulation.seed") == null ? Level.OFF : Level.INFO);
    }

    @AfterAll
    static void speak() {
        ENGINE.setLevel(null);
    }

    @Test
    void promisesHoldInEveryWorld() {
        Long one = Long.getLong("toolfleet.simulation.seed");
        hold(one == null ? LongStream.range(FIRST, FIRST + SEEDS) : LongStream.of(one), one != null);
    }

    @Test
    @Tag("slow")
    @DisabledIfSystemProperty(named = "toolfleet.simulation.seeds", matches = ".+")
    @DisabledIfSystemProperty(named = "toolfleet.simulation.seed", matches = ".+")
    void promisesHoldInMoreWorlds() {
        hold(LongStream.range(FIRST + SEEDS, FIRST + SEEDS_OF_THE_SLOW_TESTS), false);
    }

    private static void hold(LongStream seeds, boolean shown) {
        Map<Long, List<String>> failed = new ConcurrentSkipListMap<>();
        seeds.parallel().forEach(seed -> {
            Trace trace = new Trace(shown);
            List<String> violations = new World(seed, Plant.NONE, trace).run();
            trace.lines().forEach(System.out::println);
            if (!violations.isEmpty())
                failed.put(seed, violations);
        });
        assertThat(failed).as("violations by seed").isEmpty();
    }
}
