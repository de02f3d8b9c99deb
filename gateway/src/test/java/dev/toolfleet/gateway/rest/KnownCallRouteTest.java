package dev.toolfleet.gateway.rest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.ToolCall;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.gateway.rest.TestGateway.header;
import static dev.toolfleet.gateway.rest.TestGateway.json;
import static org.assertj.core.api.Assertions.assertThat;

/// A call is shown, streamed and cancelled by its id, to those who may see it.
class KnownCallRouteTest {
    private static final String PATH = "/v1/instances/i/agents/coder/calls";
    private static final String CALL = "{\"id\":\"c1\",\"name\":\"bash__exec\"}";
    private static final CallId FIRST = new CallId(0, 0);

    private final MemoryFleet fleet = new MemoryFleet();
    private final TestGateway gateway = new TestGateway(fleet, fleet.calls);

    @BeforeEach
    void runLong() {
        fleet.answering(_ -> null);
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private ToolCall started() {
        gateway.post(PATH, CALL, "Prefer", "respond-async");
        return fleet.sent.getLast();
    }

    @Test
    void aCallIsShownWithItsResultAndAValidator() {
        ToolCall call = started();
        HttpResponse<String> before = gateway.get("/v1/calls/0-0");
        fleet.calls.result(FIRST, MemoryFleet.ok(call, 0));

        HttpResponse<String> after = gateway.get("/v1/calls/0-0");

        assertThat(json(before).path("stage").asString()).isEqualTo("accepted");
        assertThat(json(before).path("call").path("name").asString()).isEqualTo("bash__exec");
        assertThat(header(before, "Retry-After")).isNotEmpty();
        assertThat(json(after).path("stage").asString()).isEqualTo("ended");
        assertThat(json(after).path("result").path("status").asString()).isEqualTo("ok");
        assertThat(header(after, "Retry-After")).isEmpty();
        assertThat(gateway.get("/v1/calls/0-0", "If-None-Match", header(after, "ETag")).statusCode()).isEqualTo(304);
        assertThat(header(before, "ETag")).isNotEqualTo(header(after, "ETag"));
    }

    @Test
    void aReaderMayWaitForTheResult() {
        ToolCall call = started();
        var waiting = gateway.client().sendAsync(gateway.request("/v1/calls/0-0", "Prefer", "wait=60").GET().build(),
                HttpResponse.BodyHandlers.ofString());

        fleet.calls.result(FIRST, MemoryFleet.ok(call, 0));

        assertThat(json(waiting.join()).path("stage").asString()).isEqualTo("ended");
    }

    @Test
    void anUnknownCallIsNotFound() {
        HttpResponse<String> answer = gateway.get("/v1/calls/3-4711");

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(json(answer).path("type").asString()).isEqualTo("urn:toolfleet:problem:unknown-call");
        assertThat(json(answer).path("detail").asString()).contains("3-4711");
    }

    @Test
    void aCallOfAnotherPrincipalsInstanceIsUnknown() {
        started();
        Map<String, String> settings = Map.of("a.tokenHash", TestGateway.hash("t"), "a.scopes", "tools:call",
                "a.instances", "mine-*");
        try (TestGateway other = new TestGateway(fleet, fleet.calls, settings, "t")) {
            for (String path : List.of("", "/events"))
                assertThat(other.get("/v1/calls/0-0" + path).statusCode()).isEqualTo(404);
            assertThat(other.post("/v1/calls/0-0/cancel", "{}").statusCode()).isEqualTo(404);
            assertThat(other.post(PATH, CALL).statusCode()).isEqualTo(403);
            assertThat(fleet.cancelled).isEmpty();
        }
    }

    @Test
    void aRunningCallIsCancelledAndAnEndedOneIsNot() {
        ToolCall call = started();

        HttpResponse<String> answer = gateway.post("/v1/calls/0-0/cancel", "{\"reason\":\"no longer needed\"}");

        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(fleet.cancelled).containsExactly(
                new CancelCall("i", "c1", null, null, null, "no longer needed", "coder", null));
        fleet.calls.result(FIRST, MemoryFleet.ok(call, 0));
        assertThat(gateway.post("/v1/calls/0-0/cancel", "{}").statusCode()).isEqualTo(409);
        assertThat(fleet.cancelled).hasSize(1);
    }

    @Test
    void aDuplicateOfAPendingCallIsShownAsThatCall() {
        fleet.readModelIsBehind = true;
        fleet.answering(call -> MemoryFleet.pending(call, "h-1"));
        gateway.post(PATH, CALL, IdempotencyKey.HEADER, "k");
        fleet.readModelIsBehind = false;
        fleet.calls.accepted(FIRST, fleet.sent.getFirst());
        ToolCall duplicate = fleet.sent.getFirst();
        fleet.call(duplicate, Duration.ZERO, null, null);
        fleet.calls.result(FIRST, MemoryFleet.ok(duplicate, 0));

        HttpResponse<String> answer = gateway.get("/v1/calls/0-1");

        assertThat(json(answer).path("id").asString()).isEqualTo("0-0");
        assertThat(json(answer).path("stage").asString()).isEqualTo("ended");
    }

    @Test
    void eventsAreStreamedToTheEndAndResumeBehindTheLastOne() throws Exception {
        ToolCall call = started();
        List<String> first = new ArrayList<>();
        HttpResponse<InputStream> stream = gateway.client().send(
                gateway.request("/v1/calls/0-0/events", "Accept", "text/event-stream").GET().build(),
                HttpResponse.BodyHandlers.ofInputStream());
        assertThat(header(stream, "Content-Type")).startsWith("text/event-stream");
        try (BufferedReader lines = reader(stream)) {
            first.addAll(event(lines));
            fleet.calls.progress(FIRST, "half");
            first.addAll(event(lines));
        }
        assertThat(first).startsWith("event: accepted", "id: 0.0").contains("event: progress", "id: 1.0");
        fleet.calls.result(FIRST, MemoryFleet.ok(call, 0));

        String rest = gateway.get("/v1/calls/0-0/events", "Last-Event-ID", "1.0").body();

        assertThat(rest).startsWith("event: result\nid: 1.2\ndata: {").endsWith("\n\n").doesNotContain("progress");
        assertThat(gateway.get("/v1/calls/0-0/events", "Last-Event-ID", "1.2").body()).doesNotContain("event:");
        assertThat(gateway.get("/v1/calls/0-0/events", "Last-Event-ID", "x").statusCode()).isEqualTo(400);
    }

    @Test
    void aCallMayBeStreamedAsItIsMade() {
        fleet.answering(call -> MemoryFleet.ok(call, 0));

        HttpResponse<String> answer = gateway.post(PATH, CALL, "Accept", "text/event-stream");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(header(answer, "Location")).isEqualTo("/v1/calls/0-0");
        assertThat(answer.body().lines().filter(line -> line.startsWith("event: ")))
                .containsExactly("event: accepted", "event: result");
    }

    @Test
    void streamsAreBoundedAndAReaderThatGoesLeavesNone() throws Exception {
        started();
        List<HttpResponse<InputStream>> open = new ArrayList<>();
        for (int i = 0; i < 2; i++)
            open.add(gateway.client().send(gateway.request("/v1/calls/0-0/events").GET().build(),
                    HttpResponse.BodyHandlers.ofInputStream()));

        HttpResponse<String> refused = gateway.get("/v1/calls/0-0/events");

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(header(refused, "Retry-After")).isNotEmpty();
        for (HttpResponse<InputStream> each : open)
            each.body().close();
        // Events make the gateway notice that a reader has gone.
        Awaitility.await().until(() -> {
            fleet.calls.progress(FIRST, "more");
            return gateway.openStreams() == 0;
        });
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
