package dev.toolfleet.cli.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
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

    @Test
    void everyLineOfAWorkerIsAJsonObject(KafkaFixture kafka) throws Exception {
        try (CommandProcesses commands = new CommandProcesses(folder)) {
            commands.createTopics(kafka, 1);
            Process worker = commands.start("worker", "worker", "--log-format", "json", "--bootstrap",
                    kafka.bootstrapServers(), "--set=topics.prefix=" + kafka.prefix(), "--set=worker.http.port=0",
                    "--set=worker.workspace.root=" + folder.resolve("workspace"),
                    "--set=worker.completion.stateDir=" + folder.resolve("state"), "--set=worker.sandbox.mode=off");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !worker.isAlive() || commands.output("worker").contains("worker is ready"));
            worker.destroy();
            CommandProcesses.endOf(worker);

            List<JsonNode> lines = commands.output("worker").lines().map(JsonLogsIT::object).toList();
            assertThat(lines).allSatisfy(line -> assertThat(line.propertyNames()).contains("timestamp", "level",
                    "logger", "thread", "message"));
            assertThat(lines).extracting(line -> line.path("message").asString())
                    .contains("worker answers over HTTP", "worker is ready");
            assertThat(lines).filteredOn(line -> line.path("message").asString().equals("worker answers over HTTP"))
                    .allSatisfy(line -> assertThat(line.path("url").asString()).startsWith("http://127.0.0.1:"));
        }
    }

    private static JsonNode object(String line) {
        JsonNode json = JsonMapper.shared().readTree(line);
        assertThat(json.isObject()).as(line).isTrue();
        return json;
    }
}
