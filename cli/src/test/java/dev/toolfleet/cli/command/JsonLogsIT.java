package dev.toolfleet.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.cli.Main;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// A worker in a process of its own, whose standard error a collector reads.
@EmbeddedKafkaTest
class JsonLogsIT {
    @TempDir
    private Path folder = Path.of("");

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void killAll() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void everyLineOfAWorkerIsAJsonObject(KafkaFixture kafka) throws Exception {
        String prefix = "--set=topics.prefix=" + kafka.prefix();
        Process topics = start("topics", "topics", "create", "--bootstrap", kafka.bootstrapServers(), prefix,
                "--partitions", "1", "--replication", "1");
        assertThat(topics.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(topics.exitValue()).as(output("topics")).isZero();

        Process worker = start("worker", "worker", "--log-format", "json", "--bootstrap", kafka.bootstrapServers(),
                prefix, "--set=worker.http.port=0", "--set=worker.workspace.root=" + folder.resolve("workspace"),
                "--set=worker.completion.stateDir=" + folder.resolve("state"), "--set=worker.sandbox.mode=off");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> !worker.isAlive() || output("worker").contains("worker is ready"));
        worker.destroy();
        assertThat(worker.waitFor(60, TimeUnit.SECONDS)).isTrue();

        List<JsonNode> lines = output("worker").lines().map(JsonLogsIT::object).toList();
        assertThat(lines).allSatisfy(line -> assertThat(line.propertyNames()).contains("timestamp", "level", "logger",
                "thread", "message"));
        assertThat(lines).extracting(line -> line.path("message").asString())
                .contains("worker answers over HTTP", "worker is ready");
        assertThat(lines).filteredOn(line -> line.path("message").asString().equals("worker answers over HTTP"))
                .allSatisfy(line -> assertThat(line.path("url").asString()).startsWith("http://127.0.0.1:"));
    }

    private static JsonNode object(String line) {
        JsonNode json = JsonMapper.shared().readTree(line);
        assertThat(json.isObject()).as(line).isTrue();
        return json;
    }

    private Process start(String name, String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java",
                "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-cp",
                System.getProperty("java.class.path"), Main.class.getName()));
        line.addAll(List.of(arguments));
        Process process = new ProcessBuilder(line).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".out").toFile()).start();
        started.add(process);
        return process;
    }

    private String output(String name) throws IOException {
        return Files.readString(folder.resolve(name + ".out"));
    }
}
