package dev.toolfleet.worker.simulation;

import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The simulation finds bugs: each one that was planted, with the seed that `docs/guarantees.md` names.
class PlantedBugTest {
    @BeforeAll
    static void silence() {
        SimulationTest.silence();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void isCaughtByItsSeed(Plant plant) {
        assertThat(found(plant, plant.seed)).as("%s; seeds that would find it: %s", plant.bug, others(plant)).isTrue();
        assertThat(new World(plant.seed, Plant.NONE, new Trace(false)).run()).isEmpty();
    }

    private static boolean found(Plant plant, long seed) {
        List<String> violations = new World(seed, plant, new Trace(false)).run();
        return violations.stream().anyMatch(violation -> violation.startsWith(plant.violation));
    }

    /// Which seeds to name instead; asked only when the named one has been lost.
    private static Object others(Plant plant) {
        return new Object() {
            @Override
            public String toString() {
                return LongStream.range(0, 500).filter(seed -> found(plant, seed)).limit(5).boxed().toList().toString();
            }
        };
    }
}
