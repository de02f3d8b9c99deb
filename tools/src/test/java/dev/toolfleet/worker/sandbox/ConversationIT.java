package dev.toolfleet.worker.sandbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Programs that read their input for as long as they run.
class ConversationIT {
    private static final String SCRIPT = "while read -r line; do echo \"$line for $SECRET, cpu $(ulimit -t)\"; done;"
            + " echo over";

    @TempDir
    Path root = Path.of(".");

    @Test
    void aProgramBehindWallsAnswersLineByLineUntilItsInputEnds() throws Exception {
        try (Sandbox sandbox = Walls.small()) {
            converse(sandbox);
        }
    }

    @Test
    void aProgramWithoutWallsDoesSo() throws Exception {
        try (Sandbox sandbox = Walls.withoutWalls()) {
            converse(sandbox);
        }
    }

    private void converse(Sandbox sandbox) throws IOException, InterruptedException {
        Path workdir = Files.createDirectory(root.toRealPath().resolve("mine"));
        List<Path> before = left();
        try (StartedProgram started = sandbox.converse(new ConfinedProgram(List.of("/bin/sh", "-c", SCRIPT), workdir,
                workdir, Map.of("SECRET", "s3cret")))) {
            Process process = started.process();
            try (BufferedReader output = process.inputReader()) {
                try (Writer input = process.outputWriter()) {
                    input.write("one\n");
                    input.flush();
                    assertThat(output.readLine()).isEqualTo("one for s3cret, cpu unlimited");
                    // Others may start programs at the same time.
                    await().untilAsserted(
                            () -> assertThat(left()).as("options on disk while it runs").isSubsetOf(before));
                    input.write("two\n");
                }
                assertThat(output.readLine()).isEqualTo("two for s3cret, cpu unlimited");
                assertThat(output.readLine()).isEqualTo("over");
            }
            assertThat(process.waitFor()).isZero();
            started.end(Duration.ofMillis(100));
        }
    }

    @Test
    void endKillsTheChildrenOfAProgramThatStillReads() throws Exception {
        try (Sandbox sandbox = Walls.small()) {
            Path workdir = Files.createDirectory(root.toRealPath().resolve("mine"));
            try (StartedProgram started = sandbox.converse(new ConfinedProgram(
                    List.of("/bin/sh", "-c", "setsid sleep 1000 & setsid sleep 1000 & echo up; read -r line"), workdir,
                    workdir, Map.of()))) {
                assertThat(requireNonNull(started.process().inputReader().readLine())).isEqualTo("up");
                List<ProcessHandle> family = started.process().descendants().toList();
                assertThat(family).isNotEmpty();
                started.end(Duration.ofMillis(100));

                await().until(() -> family.stream().noneMatch(ProcessHandle::isAlive));
            }
        }
    }

    private static List<Path> left() throws IOException {
        Path folder = Files.isDirectory(Path.of("/dev/shm"))
                ? Path.of("/dev/shm")
                : Path.of(System.getProperty("java.io.tmpdir"));
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("toolfleet-options-")).toList();
        }
    }
}
