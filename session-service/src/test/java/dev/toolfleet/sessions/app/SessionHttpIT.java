package dev.toolfleet.sessions.app;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Random;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.json.Json;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

@EmbeddedKafkaTest
class SessionHttpIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void everyServiceAnswersForAllSessions(KafkaFixture kafka) {
        try (SessionFleet fleet = new SessionFleet(kafka);
                SessionService one = start(fleet, "one");
                SessionService two = start(fleet, "two")) {
            for (int partition = 0; partition < SessionFleet.PARTITIONS; partition++) {
                fleet.calling(partition, "tenant/" + partition, "s1", List.of("c1", "c2"));
                fleet.result(partition, "tenant/" + partition, "s1", "c1");
            }
            // The id of the lost call comes again in the next step, where it runs.
            fleet.calling(0, "tenant/ids", "s1", List.of("exec_0"));
            fleet.calling(0, "tenant/ids", "s2", List.of("exec_0"));
            fleet.called(0, "tenant/ids", "s2", "exec_0");
            JsonNode repeated = await(one, "/v1/instances/tenant%2Fids/agents/a/messages?view=model", 3);
            assertThat(repeated.at("/messages/1/data/role").asString()).isEqualTo("tool");
            assertThat(repeated.at("/messages/2/id").asString()).isEqualTo("s2-exec_0");
            // The largest call, which nothing compresses: the service stores it until its result comes.
            byte[] bytes = new byte[786_000];
            new Random(1).nextBytes(bytes);
            fleet.called(1, "tenant/large", "s1", "c1", Base64.getEncoder().encodeToString(bytes));
            fleet.result(1, "tenant/large", "s1", "c1");
            JsonNode large = await(two, "/v1/instances/tenant%2Flarge/agents/a/messages", 2);
            assertThat(large.at("/messages/0/metadata/from").asString()).isEqualTo("tool.call");
            for (SessionService service : List.of(one, two)) {
                for (int partition = 0; partition < SessionFleet.PARTITIONS; partition++) {
                    String path = "/v1/instances/tenant%2F" + partition + "/agents/a/";
                    JsonNode log = await(service, path + "messages", 2);
                    assertThat(log.at("/messages/0/id").asString()).isEqualTo("s1-c1");
                    JsonNode model = await(service, path + "messages?view=model", 3);
                    assertThat(model.at("/messages/1/data/content/0/output/value/id").asString()).isEqualTo("c1");
                    assertThat(model.at("/messages/2/data/content/0/output/value").asString())
                            .isEqualTo("[Tool result unavailable]");
                    assertThat(model.at("/findings/0/kind").asString()).isEqualTo("missing-tool-result");
                    JsonNode state = get(service, path + "session");
                    assertThat(state.path("messages").asInt()).isEqualTo(2);
                    assertThat(state.at("/openCalls/0/toolCallId").asString()).isEqualTo("c2");
                }
                assertThat(status(service, "/v1/instances/none/agents/a/messages")).isEqualTo(404);
                assertThat(status(service, "/v1/instances/none/agents/a/messages?view=x")).isEqualTo(400);
            }
        }
    }

    private SessionService start(SessionFleet fleet, String name) {
        SessionService service = new SessionService(
                SessionProcess.config(fleet.bootstrapServers(), fleet.topics(), folder.resolve(name)),
                HttpConfig.of("session.http", "127.0.0.1", "0", "", ""));
        service.start();
        return service;
    }

    private static JsonNode await(SessionService service, String path, int messages) {
        Awaitility.await().atMost(PATIENCE).until(() -> status(service, path) == 200
                && get(service, path).path("messages").size() == messages);
        return get(service, path);
    }

    private static JsonNode get(SessionService service, String path) {
        return Json.MAPPER.readTree(send(service, path).body());
    }

    private static int status(SessionService service, String path) {
        return send(service, path).statusCode();
    }

    private static HttpResponse<String> send(SessionService service, String path) {
        try {
            return CLIENT.send(HttpRequest.newBuilder(URI.create(service.url().orElseThrow() + path)).build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
