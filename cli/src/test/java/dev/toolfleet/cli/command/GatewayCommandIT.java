package dev.toolfleet.cli.command;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Gateways in processes of their own.
@EmbeddedKafkaTest
class GatewayCommandIT {
    private static final Pattern URL = Pattern.compile("http://127\\.0\\.0\\.1:\\d+");
    private static final String CALL = """
            {"turnId": "t1", "stepId": "s1", "id": "c1", "name": "any__tool", "args": {}}""";

    @TempDir
    private Path folder = Path.of("");
    private CommandProcesses commands = new CommandProcesses(folder);
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void open() {
        commands = new CommandProcesses(folder);
    }

    @AfterEach
    void killAll() {
        commands.close();
        client.close();
    }

    @Test
    void aCallThatOneTookIsKnownToTheOtherUntilASignalEndsBoth(KafkaFixture kafka) throws Exception {
        commands.createTopics(kafka, 2);
        Process first = start(kafka, "first");
        Process second = start(kafka, "second");
        String one = url(first, "first");
        String other = url(second, "second");

        assertThat(get(one + "/health/ready").statusCode()).isEqualTo(200);
        assertThat(get(other + "/metrics").body()).contains("toolfleet_gateway_ready 1.0");
        HttpResponse<String> sent = client.send(HttpRequest.newBuilder(URI.create(one
                + "/v1/instances/i1/agents/coder/calls")).header("Content-Type", "application/json")
                .header("Prefer", "respond-async").POST(BodyPublishers.ofString(CALL)).build(),
                BodyHandlers.ofString());
        assertThat(sent.statusCode()).as(sent.body()).isEqualTo(202);
        HttpResponse<String> read = get(other + sent.headers().firstValue("Location").orElseThrow());
        assertThat(read.statusCode()).as(read.body()).isEqualTo(200);
        assertThat(read.body()).contains("any__tool");

        first.destroy();
        second.destroy();
        assertThat(CommandProcesses.endOf(first)).as(commands.output("first")).isEqualTo(143);
        assertThat(CommandProcesses.endOf(second)).as(commands.output("second")).isEqualTo(143);
        assertThat(commands.output("first") + commands.output("second")).contains("gateway is ready")
                .contains("gateway has no principals")
                .doesNotContain("ERROR");
    }

    @Test
    void withoutHttpItEndsWithOneLine() throws Exception {
        Process gateway = commands.start("off", "gateway", "--set=gateway.http.port=off");

        assertThat(CommandProcesses.endOf(gateway)).isEqualTo(2);
        assertThat(commands.output("off").lines()).singleElement().asString().contains("gateway.http.port is off");
    }

    private Process start(KafkaFixture kafka, String name) throws IOException {
        return commands.start(name, "gateway", "--bootstrap", kafka.bootstrapServers(),
                "--set=topics.prefix=" + kafka.prefix(), "--set=gateway.http.port=0", "--set=gateway.internal.port=0",
                "--set=gateway.stateDir=" + folder.resolve(name));
    }

    private String url(Process gateway, String name) throws IOException {
        await().atMost(Duration.ofMinutes(2))
                .until(() -> !gateway.isAlive() || commands.output(name).contains("gateway is ready"));
        String output = commands.output(name);
        return output.lines().filter(line -> line.contains("gateway started"))
                .flatMap(line -> URL.matcher(line).results()).map(MatchResult::group).findFirst()
                .orElseThrow(() -> new AssertionError(name + " did not start:\n" + output));
    }

    private HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
    }
}
