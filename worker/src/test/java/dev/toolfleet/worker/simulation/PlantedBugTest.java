package dev.toolfleet.worker.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The simulation finds bugs: each planted one within the first worlds, in whatever order the engine's changes have put
/// them.
@Tag("slow")
@Isolated("silences the engine's logs and computes on every processor")
class PlantedBugTest {
    private static final int SEARCHED = 2_000;

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
    void isFoundInOneOfTheFirstWorlds(Plant plant) {
        assertThat(LongStream.range(0, SEARCHED).parallel().anyMatch(seed -> isFound(plant, seed)))
                .as(() -> plant.bug + ": \"" + plant.violation + "\" in none of " + SEARCHED + " worlds").isTrue();
    }

    @Test
    void guaranteesNameEveryBug() throws IOException {
        List<String> rows = EnumSet.complementOf(EnumSet.of(Plant.NONE)).stream()
                .map(plant -> "| " + plant.bug + " | " + plant.violation + " |").toList();

        assertThat(Files.readAllLines(Path.of("../docs/guarantees.md"))).containsAll(rows);
    }

    private static boolean isFound(Plant plant, long seed) {
        List<String> violations = new World(seed, plant, new Trace(false)).run();
        return violations.stream().anyMatch(violation -> violation.startsWith(plant.violation));
    }
}
