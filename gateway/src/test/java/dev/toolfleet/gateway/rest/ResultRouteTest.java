package dev.toolfleet.gateway.rest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

class ResultRouteTest {
    private static final String PATH = "/v1/instances/i%2F1/results";

    private final MemoryFleet fleet = new MemoryFleet();
    private final TestGateway gateway = new TestGateway(fleet, fleet.calls);
    private long made;

    @AfterEach
    void close() {
        gateway.close();
    }

    /// Ends a call of that agent.
    private CallId ended(String instance, String agent) {
        CallId id = new CallId(0, made++);
        ToolCall call = ToolCall.of("c" + id.offset(), "bash__exec", Json.MAPPER.createObjectNode(), instance)
                .inStep(agent, "t", "s", 0);
        fleet.calls.accepted(id, call);
        fleet.calls.result(id, MemoryFleet.ok(call, id.offset()));
        return id;
    }

    @Test
    void resultsOfAnInstanceAreReadInTheirOrder() {
        ended("i/1", "coder");
        ended("another", "coder");
        ended("i/1", "coder");

        JsonNode answer = json(gateway.get(PATH));

        assertThat(answer.path("instanceKey").asString()).isEqualTo("i/1");
        assertThat(answer.path("results").findValuesAsString("call")).containsExactly("0-0", "0-2");
        assertThat(answer.path("results").get(1).path("position").asString()).isEqualTo("0-3");
        assertThat(answer.path("results").get(1).path("result").path("output").path("done").asBoolean()).isTrue();
        assertThat(answer.path("next").asString()).isEqualTo("0-3");
    }

    @Test
    void aReaderContinuesBehindItsPosition() {
        for (int i = 0; i < 3; i++)
            ended("i/1", "coder");

        JsonNode first = json(gateway.get(PATH + "?limit=2"));
        JsonNode second = json(gateway.get(PATH + "?limit=2&after=" + first.path("next").asString()));
        JsonNode none = json(gateway.get(PATH + "?after=" + second.path("next").asString()));

        assertThat(first.path("results").findValuesAsString("call")).containsExactly("0-0", "0-1");
        assertThat(second.path("results").findValuesAsString("call")).containsExactly("0-2");
        assertThat(none.path("results").isEmpty()).isTrue();
        assertThat(none.path("next")).isEqualTo(second.path("next"));
    }

    @Test
    void aReaderMayWaitForAResult() {
        CompletableFuture<HttpResponse<String>> waiting = gateway.client().sendAsync(
                gateway.request(PATH, "Prefer", "wait=60").GET().build(), HttpResponse.BodyHandlers.ofString());

        ended("another", "coder");
        ended("i/1", "coder");

        assertThat(json(waiting.join()).path("results").findValuesAsString("call")).containsExactly("0-1");
        assertThat(json(gateway.get("/v1/instances/none/results")).has("next")).isFalse();
    }

    @Test
    void aStreamShowsOldAndNewResultsAndResumes() throws Exception {
        ended("i/1", "coder");
        HttpResponse<InputStream> stream = stream(PATH);
        try (BufferedReader lines = reader(stream)) {
            assertThat(event(lines)).contains("event: result", "id: 0-1");
            ended("i/1", "coder");
            assertThat(event(lines)).contains("event: result", "id: 0-2");
        }
        ended("i/1", "coder");

        try (BufferedReader lines = reader(stream(PATH, "Last-Event-ID", "0-2"))) {
            assertThat(event(lines)).contains("event: result", "id: 0-3").anyMatch(line -> line.startsWith("data: {"));
        }
    }

    @Test
    void theLastEventOfAReaderCountsMoreThanItsFirstPosition() throws Exception {
        for (int i = 0; i < 3; i++)
            ended("i/1", "coder");

        try (BufferedReader lines = reader(stream(PATH + "?after=0-1", "Last-Event-ID", "0-2"))) {
            assertThat(event(lines)).contains("event: result", "id: 0-3");
        }
    }

    @Test
    void streamsHaveTheirPlacesWithThoseOfCalls() throws Exception {
        List<HttpResponse<InputStream>> open = new ArrayList<>();
        for (int i = 0; i < 2; i++)
            open.add(stream(PATH));

        assertThat(gateway.get(PATH, "Accept", "text/event-stream").statusCode()).isEqualTo(503);
        assertThat(gateway.get(PATH).statusCode()).isEqualTo(200);
        for (HttpResponse<InputStream> each : open)
            each.body().close();
        Awaitility.await().until(() -> {
            ended("i/1", "coder");
            return gateway.openStreams() == 0;
        });
    }

    @Test
    void aPrincipalReadsItsInstancesAndAgentsOnly() {
        Map<String, String> settings = Map.of("a.tokenHash", TestGateway.hash("t"), "a.scopes", "tools:call",
                "a.instances", "i/*", "a.agents", "coder", "b.tokenHash", TestGateway.hash("u"), "b.scopes",
                "fleet:read");
        ended("i/1", "coder");
        ended("i/1", "other");
        try (TestGateway one = new TestGateway(fleet, fleet.calls, settings, "t")) {
            JsonNode answer = json(one.get(PATH));

            assertThat(answer.path("results").findValuesAsString("call")).containsExactly("0-0");
            assertThat(json(one.get(PATH + "?after=0-1")).path("next").asString()).as("the hidden one is passed")
                    .isEqualTo("0-2");
            HttpResponse<String> foreign = one.get("/v1/instances/j/results");
            assertThat(foreign.statusCode()).isEqualTo(403);
            assertThat(json(foreign).path("detail").asString()).contains("may not read instance 'j'");
        }
        try (TestGateway other = new TestGateway(fleet, fleet.calls, settings, "u")) {
            assertThat(other.get(PATH).statusCode()).isEqualTo(403);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            ?after=1     | 'after': '1' is no position of a result
            ?after=0-01  | 'after'
            ?after=7-1   | 'after' is 7-1, which is no place of a result
            ?limit=0     | 'limit' must be a whole number from 1 to 1000
            ?limit=1001  | 'limit'
            ?limit=x     | 'limit'
            ?wait=3      | 'wait'
            """)
    void aWrongParameterIsRefused(String query, String expected) {
        HttpResponse<String> answer = gateway.get(PATH + query);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("detail").asString()).contains(expected);
    }

    @Test
    void aReadModelThatCannotAnswerIsRetried() {
        fleet.calls.unavailable("partitions move");

        assertThat(gateway.get(PATH).statusCode()).isEqualTo(503);
        assertThat(gateway.get(PATH, "Accept", "text/event-stream").statusCode()).isEqualTo(503);
        assertThat(gateway.openStreams()).isZero();
    }

    private HttpResponse<InputStream> stream(String path, String... headers) throws Exception {
        HttpResponse<InputStream> stream = gateway.client().send(gateway.request(path, headers)
                .header("Accept", "Text/Event-Stream").GET().build(), HttpResponse.BodyHandlers.ofInputStream());
        assertThat(TestGateway.header(stream, "Content-Type")).startsWith("text/event-stream");
        return stream;
    }

    private static BufferedReader reader(HttpResponse<InputStream> stream) {
        return new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8));
    }

    private static List<String> event(BufferedReader lines) throws IOException {
        List<String> event = new ArrayList<>();
        for (String line = lines.readLine(); line != null && !line.isEmpty(); line = lines.readLine())
            event.add(line);
        return event;
    }
}
