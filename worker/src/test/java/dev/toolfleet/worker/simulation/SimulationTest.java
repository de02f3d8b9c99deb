package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/// G1 to G4 in a world where everything goes wrong. One seed with its trace: `-Dtoolfleet.simulation.seed=4711`.
class SimulationTest {
    private static final int SEEDS = Integer.getInteger("toolfleet.simulation.seeds", 2_000);

    @BeforeAll
    static void silence() {
        // Failures are what it is about.
        ((Logger) LoggerFactory.getLogger("dev.toolfleet.worker")).setLevel(Level.OFF);
    }

    @Test
    void promisesHoldInEveryWorld() {
        Long one = Long.getLong("toolfleet.simulation.seed");
        if (one != null) {
            Trace trace = new Trace(true);
            List<String> violations = new World(one, Plant.NONE, trace).run();
            trace.lines().forEach(System.out::println);
            assertThat(violations).isEmpty();
            return;
        }
        List<String> failed = new ArrayList<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            List<String> violations = new World(seed, Plant.NONE, new Trace(false)).run();
            if (!violations.isEmpty())
                failed.add("seed " + seed + ": " + violations);
        }
        assertThat(failed).isEmpty();
    }

    @Test
    void aSeedAlwaysTakesTheSameCourse() {
        for (long seed = 0; seed < 10; seed++)
            assertThat(course(seed)).isEqualTo(course(seed));
    }

    private static List<String> course(long seed) {
        Trace trace = new Trace(true);
        var _ = new World(seed, Plant.NONE, trace).run();
        return trace.lines();
    }
}
