package dev.toolfleet.worker.simulation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// A seed takes one course in every process, so that a world that fails can be looked at. Another process gives objects
/// other identity hashes and has another order of the elements of `Set.of` and `Map.of`.
class RepeatableWorldsTest {
    private static final int WORLDS = 50;

    @BeforeAll
    static void silence() {
        SimulationTest.silence();
    }

    @AfterAll
    static void speak() {
        SimulationTest.speak();
    }

    @Test
    void aSeedTakesTheSameCourseInAnotherProcess() throws IOException, InterruptedException {
        Process other = new ProcessBuilder(command()).redirectErrorStream(true).start();
        List<String> printed = new String(other.getInputStream().readAllBytes(), UTF_8).lines().toList();
        assertThat(other.waitFor()).as(() -> String.join("\n", printed)).isZero();

        List<String> digests = TraceDigests.of(0, WORLDS);

        assertThat(digests).hasSize(WORLDS).doesNotHaveDuplicates();
        assertThat(TraceDigests.read(printed)).isEqualTo(digests);
    }

    private static List<String> command() {
        return List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g",
                "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
                "-D" + Hazards.NAMED + "=" + System.getProperty(Hazards.NAMED, ""), "-cp",
                System.getProperty("java.class.path"), TraceDigests.class.getName(), "0", String.valueOf(WORLDS));
    }
}
