package dev.toolfleet.client.turn;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.toolfleet.client.StepCatalogView;
import dev.toolfleet.client.ToolFleetClientException;
import dev.toolfleet.client.ToolFleetClientException.Reason;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The fleet behind a gateway, or behind several at one address.
///
/// **Contract.** A request whose answer is lost is sent again; turn, step and id name the call, so nothing runs twice. A
/// call is sent once the one before is durable, which keeps their order. Streams that break are resumed behind the last
/// event. Stages fail with [ToolFleetClientException].
///
/// **Threads.** Thread-safe. Requests block their caller; one virtual thread follows each open call.
public final class GatewayFleet implements TurnFleet, AutoCloseable {
    /// The longest wait for a first result, as of `ClientConfig`.
    private static final Duration CALL_TIMEOUT = Duration.ofMinutes(15);
    /// The longest wait for the final result behind a pending one.
    private static final Duration PENDING_TIMEOUT = Duration.ofHours(25);
    private static final String CALLS = "/v1/calls/";

    /// Three beats of a gateway's stream.
    private static final Duration SILENCE = Duration.ofSeconds(45);

    private final GatewayHttp http;
    private final Duration silence;
    private final ExecutorService followers = Executors
            .newThreadPerTaskExecutor(Thread.ofVirtual().name("toolfleet-gateway-call-", 0).factory());

    GatewayFleet(URI gateway, Optional<Supplier<String>> token, Duration silence, Duration answer) {
        this.http = new GatewayHttp(gateway, token, answer);
        this.silence = silence;
    }

    /// The fleet behind a gateway without principals, such as `http://127.0.0.1:7072`.
    public static GatewayFleet at(URI gateway) {
        return new GatewayFleet(gateway, Optional.empty(), SILENCE, GatewayHttp.ANSWER);
    }

    /// The fleet behind a gateway with principals.
    ///
    /// @param token returns the bearer token of each request
    public static GatewayFleet at(URI gateway, Supplier<String> token) {
        return new GatewayFleet(gateway, Optional.of(token), SILENCE, GatewayHttp.ANSWER);
    }

    @Override
    public CompletionStage<StepCatalogView> beginStep(StepStarted step) {
        if (followers.isShutdown())
            return CompletableFuture.failedFuture(closed("step '" + step.stepId() + "' was begun"));
        ObjectNode body = Json.MAPPER.createObjectNode().put("turnId", step.turnId()).put("stepId", step.stepId());
        put(body, "userId", step.userId());
        put(body, "channelId", step.channelId());
        if (step.stepIndex() != null)
            body.put("stepIndex", step.stepIndex());
        return http.attempt(() -> {
            JsonNode answer = json(http.post(agent(step.instanceKey(), step.agentName())
                    + "/steps?format=toolfleet", body).body());
            if (!answer.path("tools").isArray())
                throw new IOException("the answer to step '" + step.stepId() + "' has no array 'tools'; is there a"
                        + " gateway at that address?");
            List<ToolCatalogItem> tools = answer.path("tools").valueStream()
                    .map(tool -> Json.MAPPER.treeToValue(tool, ToolCatalogItem.class)).toList();
            return new StepCatalogView(step.instanceKey(), step.agentName(), step.turnId(), step.stepId(),
                    answer.path("digest").asString(""), tools);
        });
    }

    @Override
    public CompletionStage<Void> endStep(StepEnded step) {
        String path = agent(step.instanceKey(), step.agentName()) + "/steps/" + GatewayHttp.encoded(step.turnId())
                + "/" + GatewayHttp.encoded(step.stepId()) + "/end";
        ObjectNode body = Json.MAPPER.createObjectNode();
        if (step.stepIndex() != null)
            body.put("stepIndex", step.stepIndex());
        if (followers.isShutdown())
            return CompletableFuture.failedFuture(closed("step '" + step.stepId() + "' was ended"));
        // An end that is lost changes nothing: the turn does not wait for it, least of all for a gateway that is away.
        CompletableFuture<Void> ended = new CompletableFuture<>();
        followers.execute(() -> {
            try {
                http.attempt(() -> http.post(path, body, 1)).join();
                ended.complete(null);
            } catch (CompletionException e) {
                Throwable problem = e.getCause();
                ended.completeExceptionally(problem == null ? e : problem);
            }
        });
        return ended;
    }

    @Override
    public SentCallResults call(ToolCall call) {
        if (call.agentName() == null)
            throw new IllegalArgumentException(
                    "call '" + call.id() + "' of instance '" + call.instanceKey() + "' names no agent");
        CompletableFuture<ToolResult> first = new CompletableFuture<>();
        CompletableFuture<ToolResult> last = new CompletableFuture<>();
        if (followers.isShutdown()) {
            fail(closed("call '" + call.id() + "' was made; it was not sent"), first, last);
            return new SentCallResults(first, last);
        }
        String calls = agent(call.instanceKey(), call.agentName()) + "/calls";
        CompletableFuture<String> location = http
                .attempt(
                        () -> location(call, http.post(calls, body(call)).headers().firstValue("Location").orElse("")));
        if (location.isCompletedExceptionally())
            fail(location.exceptionNow(), first, last);
        else
            execute(() -> follow(location.resultNow(), call, first, last), call, first, last);
        first.completeOnTimeout(null, CALL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        return new SentCallResults(first.thenApply(result -> inTime(result, call)), last);
    }

    /// Ends what follows open calls. The calls go on in the fleet.
    @Override
    public void close() {
        followers.shutdownNow();
        http.close();
    }

    private static ToolFleetClientException closed(String what) {
        return new ToolFleetClientException(Reason.CLOSED, "the way to the gateway was closed when " + what, null);
    }

    private void execute(Runnable work, ToolCall call, CompletableFuture<ToolResult> first,
            CompletableFuture<ToolResult> last) {
        try {
            followers.execute(work);
        } catch (RejectedExecutionException e) {
            fail(closed("call '" + call.id() + "' had been sent; it goes on"), first, last);
        }
    }

    /// Returns the path of a call. Otherwise: an address of another host gets the token.
    private static String location(ToolCall call, String location) throws IOException {
        if (!location.startsWith(CALLS))
            throw new IOException("the answer to call '" + call.id() + "' has the header Location '" + location
                    + "', which does not begin with " + CALLS + "; is there a gateway at that address?");
        return location;
    }

    private void follow(String location, ToolCall call, CompletableFuture<ToolResult> first,
            CompletableFuture<ToolResult> last) {
        try {
            ToolResult result = new CallEventStream(http, location, silence, CallEventStream.MAX_FAILURES).follow(
                    PENDING_TIMEOUT,
                    first::complete);
            first.complete(result);
            last.complete(result);
        } catch (InterruptedException e) {
            fail(new ToolFleetClientException(Reason.CLOSED, "the way to the gateway was closed while call '"
                    + call.id() + "' was open; it goes on", e), first, last);
        } catch (IOException | RuntimeException e) {
            // Nothing else would complete the results.
            fail(new ToolFleetClientException(Reason.TIMEOUT, "the gateway had no result of call '" + call.id()
                    + "': " + e.getMessage(), e), first, last);
        }
    }

    private static ToolResult inTime(@Nullable ToolResult result, ToolCall call) {
        if (result == null)
            throw new ToolFleetClientException(Reason.TIMEOUT, "call '" + call.id() + "' of instance '"
                    + call.instanceKey() + "' had no result within " + CALL_TIMEOUT, null);
        return result;
    }

    private static void fail(Throwable problem, CompletableFuture<ToolResult> first,
            CompletableFuture<ToolResult> last) {
        first.completeExceptionally(problem);
        last.completeExceptionally(problem);
    }

    private static ObjectNode body(ToolCall call) {
        ObjectNode body = Json.MAPPER.createObjectNode().put("id", call.id()).put("name", call.name());
        body.set("args", call.args());
        put(body, "turnId", call.turnId());
        put(body, "stepId", call.stepId());
        put(body, "userId", call.userId());
        put(body, "channelId", call.channelId());
        put(body, "catalogDigest", call.catalogDigest());
        if (call.stepIndex() != null)
            body.put("stepIndex", call.stepIndex());
        return body;
    }

    private static void put(ObjectNode body, String field, @Nullable String value) {
        if (value != null)
            body.put(field, value);
    }

    private static String agent(String instanceKey, String agentName) {
        return "/v1/instances/" + GatewayHttp.encoded(instanceKey) + "/agents/" + GatewayHttp.encoded(agentName);
    }

    private static JsonNode json(String text) throws IOException {
        try {
            return Json.MAPPER.readTree(text);
        } catch (JacksonException e) {
            throw new IOException("the answer is no JSON; is there a gateway at that address?", e);
        }
    }
}
