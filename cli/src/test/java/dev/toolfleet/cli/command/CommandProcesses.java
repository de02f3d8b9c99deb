package dev.toolfleet.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.cli.Main;
import dev.toolfleet.embedded.junit.KafkaFixture;

import static org.assertj.core.api.Assertions.assertThat;

/// Commands in processes of their own, whose outputs are files of one folder. Used by one thread.
final class CommandProcesses implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final Path folder;
    private final List<Process> started = new ArrayList<>();

    CommandProcesses(Path folder) {
        this.folder = folder;
    }

    /// Starts a command.
    ///
    /// @param name of its output
    Process start(String name, String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java",
                "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-cp",
                System.getProperty("java.class.path"), Main.class.getName()));
        line.addAll(List.of(arguments));
        Process process = new ProcessBuilder(line).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".out").toFile()).start();
        started.add(process);
        return process;
    }

    /// Creates the topics of a fleet.
    void createTopics(KafkaFixture kafka, int partitions) throws IOException, InterruptedException {
        Process topics = start("topics", "topics", "create", "--bootstrap", kafka.bootstrapServers(),
                "--set=topics.prefix=" + kafka.prefix(), "--partitions", Integer.toString(partitions),
                "--replication", "1");
        assertThat(endOf(topics)).as(output("topics")).isZero();
    }

    /// Waits for the end of a command, and returns its exit code.
    static int endOf(Process process) throws InterruptedException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /// Returns the output so far, standard error included.
    String output(String name) throws IOException {
        return Files.readString(folder.resolve(name + ".out"));
    }

    /// Kills all that still run.
    @Override
    public void close() {
        started.forEach(Process::destroyForcibly);
    }
}
