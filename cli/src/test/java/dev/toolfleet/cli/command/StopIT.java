package dev.toolfleet.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import dev.toolfleet.cli.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Commands in processes of their own, which are told to stop.
class StopIT {
    private static final String BUNDLE = """
            apiVersion: goondan.ai/v1
            kind: Agent
            metadata: {name: coder}
            spec:
              tools: [{ref: {kind: Tool, name: bash, package: "@toolfleet/base"}}]
            """;
    private static final Duration DEADLINE = Duration.ofMinutes(3);
    private static final Duration QUICK = Duration.ofSeconds(60);

    @TempDir
    private Path folder = Path.of("");

    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void writeBundle() throws IOException {
        Files.writeString(folder.resolve("toolfleet.yaml"), BUNDLE);
        Files.createDirectory(folder.resolve("tmp"));
    }

    @AfterEach
    void killAll() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void aStoppedRunKillsItsCommandsAndLeavesNothingBehind() throws Exception {
        Path script = Files.writeString(folder.resolve("calls.jsonl"),
                "{\"name\":\"bash__exec\",\"args\":{\"command\":\"" + command("run") + "\"}}");

        stopsCleanly("run", "--bundle", folder.toString(), "--calls", script.toString(), "--set",
                "worker.sandbox.mode=off");
    }

    @Test
    void aStoppedLocalCallKillsItsCommandAndLeavesNothingBehind() throws Exception {
        stopsCleanly("call", "bash__exec", "{\"command\":\"" + command("call") + "\"}", "--local", "--bundle",
                folder.toString());
    }

    private void stopsCleanly(String... arguments) throws Exception {
        List<String> line = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-cp",
                System.getProperty("java.class.path"), "-Djava.io.tmpdir=" + folder.resolve("tmp"),
                Main.class.getName()));
        line.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile());
        // Behind walls a command sees neither this folder nor its own number.
        builder.environment().put("TOOLFLEET_WORKER_SANDBOX_MODE", "off");
        Process process = builder.start();
        started.add(process);
        long giveUp = System.nanoTime() + DEADLINE.toNanos();
        while (!Files.exists(folder.resolve("pid")) && process.isAlive() && System.nanoTime() - giveUp < 0)
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        String output = Files.readString(folder.resolve("output"));
        assertThat(folder.resolve("pid")).as(output).exists();
        long pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());

        process.destroy();

        assertThat(process.waitFor(QUICK.toSeconds(), TimeUnit.SECONDS)).as("ends soon").isTrue();
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).as("the command").isEmpty();
        try (Stream<Path> left = Files.list(folder.resolve("tmp"))) {
            assertThat(left.map(path -> path.getFileName().toString())).noneMatch(name -> name.startsWith("toolfleet"));
        }
    }

    /// Says which process it is, all at once, and goes on for longer than any test.
    private String command(String name) {
        Path draft = folder.resolve(name);
        return "echo $$ > " + draft + " && mv " + draft + " " + folder.resolve("pid") + " && sleep 300; true";
    }
}
