package dev.toolfleet.worker.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The simulation finds bugs: each one that was planted, with the seed that `docs/guarantees.md` names.
class PlantedBugTest {
    private static final int SEARCHED = 1_000;

    @BeforeAll
    static void silence() {
        SimulationTest.silence();
    }

    @AfterAll
    static void speak() {
        SimulationTest.speak();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void isCaughtByItsSeed(Plant plant) {
        assertThat(isFound(plant, plant.seed)).as(() -> plant.bug + "; a seed that finds it: " + another(plant))
                .isTrue();
        assertThat(new World(plant.seed, Plant.NONE, new Trace(false)).run()).isEmpty();
    }

    @Test
    void guaranteesNameEveryBugWithItsSeed() throws IOException {
        List<String> rows = EnumSet.complementOf(EnumSet.of(Plant.NONE)).stream()
                .map(plant -> "| " + plant.bug + " | " + plant.seed + " | " + plant.violation + " |").toList();

        assertThat(Files.readAllLines(Path.of("../docs/guarantees.md"))).containsAll(rows);
    }

    private static boolean isFound(Plant plant, long seed) {
        List<String> violations = new World(seed, plant, new Trace(false)).run();
        return violations.stream().anyMatch(violation -> violation.startsWith(plant.violation));
    }

    /// Asked when the named one has been lost, because the simulation or the engine has changed.
    private static String another(Plant plant) {
        return LongStream.range(0, SEARCHED).filter(seed -> isFound(plant, seed)).boxed().findFirst()
                .map(String::valueOf).orElse("none below " + SEARCHED);
    }
}
