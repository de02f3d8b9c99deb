package dev.toolfleet.bench.caller;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Client of the gateways of a fleet, which takes them in turn, one request after the other: none is sticky. A request
/// that a gateway did not answer, or answered with 429 or 503, is sent to the next one with the same idempotency key.
///
/// **Threads.** Any number at once; each call blocks its own.
public final class GatewayCaller implements AutoCloseable {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final Duration WAIT = Duration.ofSeconds(20);
    /// Beyond the wait, for a gateway that does not answer.
    private static final Duration GRACE = Duration.ofSeconds(15);
    private static final Duration CONNECT = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final String CALL_ID = "Toolfleet-Call-Id";
    private static final int OK = 200;
    private static final int ACCEPTED = 202;
    private static final int TOO_MANY = 429;
    private static final int UNAVAILABLE = 503;

    private final List<URI> gateways;
    private final Duration patience;
    private final HttpClient client;
    private final AtomicInteger turn = new AtomicInteger();

    /// @param gateways at least one
    /// @param patience the time for one call, or one step
    public GatewayCaller(List<URI> gateways, Duration patience) {
        this.gateways = List.copyOf(gateways);
        this.patience = patience;
        this.client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT)
                .executor(Executors.newVirtualThreadPerTaskExecutor()).build();
    }

    /// Announces a step.
    ///
    /// @return the reason why no gateway answered with its catalog; empty if one did
    public Optional<String> begin(StepStarted step) throws InterruptedException {
        ObjectNode body = Json.MAPPER.createObjectNode().put("turnId", step.turnId()).put("stepId", step.stepId());
        body.set("stepIndex", Json.MAPPER.valueToTree(step.stepIndex()));
        Attempts attempts = new Attempts();
        while (true) {
            HttpRequest.Builder request = HttpRequest.newBuilder(next(agent(step.instanceKey()) + "/steps"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(Json.MAPPER.writeValueAsBytes(body)));
            switch (attempts.send(request)) {
                case Reply.Body(int status, String id, byte[] bytes) when status == OK -> {
                    return Optional.empty();
                }
                case Reply.Body(int status, String id, byte[] bytes) -> {
                    return Optional.of(text(status, bytes));
                }
                case Reply.Later(String why) -> {
                    if (!attempts.again())
                        return Optional.of(why);
                }
            }
        }
    }

    /// Calls, and waits for the final result. Half of the clients repeat their request until it is answered with that;
    /// the others read the call by its id once they have it.
    public CallOutcome call(PlannedCall call) throws InterruptedException {
        ToolCall wire = call.onTheWire();
        byte[] body = Json.MAPPER.writeValueAsBytes(body(wire));
        boolean reads = call.number() % 2 == 0;
        Attempts attempts = new Attempts();
        while (true) {
            Reply reply = attempts.send(reads && !attempts.ids.isEmpty()
                    ? HttpRequest.newBuilder(next("/v1/calls/" + attempts.ids.getLast())).GET()
                    : HttpRequest.newBuilder(next(agent(wire.instanceKey()) + "/calls"))
                            .header("Content-Type", "application/json").header("Idempotency-Key", call.id())
                            .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
            switch (reply) {
                case Reply.Body(int status, String id, byte[] bytes) when status == OK || status == ACCEPTED -> {
                    attempts.accepted(id);
                    Optional<ToolResult> result = result(status, bytes);
                    if (result.isPresent())
                        return new CallOutcome.Answered(result.get(), attempts.ids, attempts.count);
                    if (!attempts.again())
                        return attempts.unanswered("no final result within " + patience.toSeconds() + " s");
                }
                case Reply.Body(int status, String id, byte[] bytes) -> {
                    return attempts.unanswered(text(status, bytes));
                }
                case Reply.Later(String why) -> {
                    if (!attempts.again())
                        return attempts.unanswered(why);
                }
            }
        }
    }

    private static String agent(String instance) {
        return "/v1/instances/" + instance + "/agents/" + PlannedCall.AGENT;
    }

    private URI next(String path) {
        return gateways.get(Math.floorMod(turn.getAndIncrement(), gateways.size())).resolve(path);
    }

    private static ObjectNode body(ToolCall call) {
        ObjectNode body = Json.MAPPER.createObjectNode().put("id", call.id()).put("name", call.name())
                .put("turnId", call.turnId()).put("stepId", call.stepId());
        body.set("stepIndex", Json.MAPPER.valueToTree(call.stepIndex()));
        body.set("args", call.args());
        return body;
    }

    /// The final result in an answer: it is the answer to a request that calls, and a field of the call's state.
    private static Optional<ToolResult> result(int status, byte[] bytes) {
        if (status == ACCEPTED)
            return Optional.empty();
        JsonNode answer = Json.MAPPER.readTree(bytes);
        JsonNode result = answer.has("stage") ? answer.path("result") : answer;
        return result.isObject()
                ? Optional.of(RESULTS.read(Json.MAPPER.writeValueAsBytes(result)))
                : Optional.empty();
    }

    private static String text(int status, byte[] body) {
        return "status " + status + ": " + new String(body, StandardCharsets.UTF_8);
    }

    /// Reply of one gateway.
    private sealed interface Reply {
        /// @param id the call's; empty if it has none
        @SuppressWarnings("ArrayRecordComponent") // never compared, and the bytes never change
        record Body(int status, String id, byte[] bytes) implements Reply {}

        /// The same request may succeed later, or elsewhere.
        record Later(String why) implements Reply {}
    }

    /// Requests of one call.
    private final class Attempts {
        private final long until = System.nanoTime() + patience.toNanos();
        private final TreeSet<String> ids = new TreeSet<>();
        private int count;

        Reply send(HttpRequest.Builder request) throws InterruptedException {
            count++;
            HttpRequest sent = request.header("Prefer", "wait=" + WAIT.toSeconds()).timeout(WAIT.plus(GRACE)).build();
            try {
                HttpResponse<byte[]> response = client.send(sent, HttpResponse.BodyHandlers.ofByteArray());
                int status = response.statusCode();
                return status == TOO_MANY || status == UNAVAILABLE
                        ? new Reply.Later(text(status, response.body()))
                        : new Reply.Body(status, response.headers().firstValue(CALL_ID).orElse(""), response.body());
            } catch (IOException e) {
                return new Reply.Later(sent.uri() + " does not answer: " + e);
            }
        }

        void accepted(String id) {
            if (!id.isEmpty())
                ids.add(id);
        }

        /// Waits a moment; false when the time is over.
        boolean again() throws InterruptedException {
            if (System.nanoTime() - until > 0)
                return false;
            Thread.sleep(PAUSE);
            return true;
        }

        CallOutcome unanswered(String why) {
            return new CallOutcome.Unanswered(why, Set.copyOf(ids), count);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
