package dev.toolfleet.client.turn;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.toolfleet.client.StepCatalogView;
import dev.toolfleet.client.ToolFleetClientException;
import dev.toolfleet.client.ToolFleetClientException.Reason;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.StepEnded;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// A gateway of the test's own, which refuses, breaks streams and falls silent.
@Timeout(60)
@SuppressWarnings("NullAway.Init")
class GatewayFleetTest {
    private static final String OK = "{\"toolCallId\": \"c1\", \"toolName\": \"shop__print\", \"status\": \"ok\", \"output\":"
            + " \"printed\", \"instanceKey\": \"office/1\", \"attempt\": 1, \"replayed\": false, \"callOffset\": 7}";
    private static final String PENDING = OK.replace("\"ok\"", "\"pending\"").replace("printed", "ordered");

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> tokens = new CopyOnWriteArrayList<>();
    private final Deque<Answer> answers = new ArrayDeque<>();
    private HttpServer server;
    private GatewayFleet fleet;

    private interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            String last = exchange.getRequestHeaders().getFirst("Last-Event-ID");
            tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI()
                    + (last == null ? "" : " after " + last));
            Answer answer;
            synchronized (answers) {
                answer = answers.remove();
            }
            answer.to(exchange);
        });
        server.start();
        fleet = fleet(Optional.empty());
    }

    private GatewayFleet fleet(Optional<Supplier<String>> token) {
        return fleet(token, Duration.ofMillis(300), Duration.ofSeconds(2));
    }

    private GatewayFleet fleet(Optional<Supplier<String>> token, Duration silence, Duration answer) {
        return new GatewayFleet(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"), token, silence,
                answer);
    }

    @AfterEach
    void stop() {
        fleet.close();
        server.stop(0);
    }

    private static Answer status(int status, String body) {
        return status(status, body, "/v1/calls/p0-7");
    }

    private static Answer status(int status, String body, String location) {
        return exchange -> {
            exchange.getResponseHeaders().add("Location", location);
            exchange.sendResponseHeaders(status, 0);
            write(exchange, body);
            exchange.close();
        };
    }

    /// Sends events and then ends the stream, or leaves it silent.
    private static Answer events(String text, boolean silent) {
        return exchange -> {
            exchange.sendResponseHeaders(200, 0);
            write(exchange, text);
            if (!silent)
                exchange.close();
        };
    }

    private static void write(HttpExchange exchange, String text) throws IOException {
        OutputStream out = exchange.getResponseBody();
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static String event(String name, String id, String data) {
        return "event: " + name + "\nid: " + id + "\ndata: " + data + "\n\n";
    }

    private static ToolCall call() {
        return ToolCall.of("c1", "shop__print", Json.MAPPER.createObjectNode(), "office/1").inStep("clerk", "t", "s",
                1);
    }

    private static StepStarted step() {
        return new StepStarted("office/1", "clerk", "t", "s", 1, null, null, null);
    }

    private static ToolResult join(CompletionStage<ToolResult> stage) throws Exception {
        return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @Test
    void aStepReturnsItsTools() throws Exception {
        answers.add(status(200,
                "{\"digest\": \"d\", \"tools\": [{\"name\": \"shop__print\", \"parameters\": {}, \"source\":"
                        + " {\"type\": \"config\", \"name\": \"shop\"}, \"tool\": {\"bundle\": \"b\", \"tool\": \"shop\","
                        + " \"export\": \"print\"}}]}"));

        StepCatalogView view = fleet.beginStep(step())
                .toCompletableFuture().get();

        assertThat(view.digest()).isEqualTo("d");
        assertThat(view.tools()).singleElement().extracting("name").isEqualTo("shop__print");
        assertThat(requests)
                .containsExactly("POST /v1/instances/office%2F1/agents/clerk/steps?format=toolfleet");
    }

    @Test
    void aRequestThatAFullGatewayRefusesIsSentAgain() throws Exception {
        answers.addAll(List.of(status(503, "{}"), status(202, "{}"), events(event("result", "e2", OK), false)));

        assertThat(join(fleet.call(call()).last()).isFinal()).isTrue();
        assertThat(requests).containsExactly("POST /v1/instances/office%2F1/agents/clerk/calls",
                "POST /v1/instances/office%2F1/agents/clerk/calls", "GET /v1/calls/p0-7/events");
    }

    @Test
    void aBrokenStreamIsResumedBehindTheLastEvent() throws Exception {
        answers.addAll(List.of(status(202, "{}"),
                events(event("pending", "e1", "{\"result\": " + PENDING + "}") + "event: result\nid: e2\n", false),
                events(": beat\n\n" + event("result", "e2", OK), false)));

        TurnFleet.SentCallResults results = fleet.call(call());

        assertThat(join(results.first()).isFinal()).isFalse();
        assertThat(join(results.last()).isFinal()).isTrue();
        assertThat(requests).endsWith("GET /v1/calls/p0-7/events", "GET /v1/calls/p0-7/events after e1");
    }

    @Test
    void aSilentStreamIsOpenedAgain() throws Exception {
        answers.addAll(List.of(status(202, "{}"),
                events(event("pending", "e1", "{\"result\": " + PENDING + "}"), true),
                events(event("result", "e2", OK), false)));

        assertThat(join(fleet.call(call()).last()).isFinal()).isTrue();
        assertThat(requests).last().isEqualTo("GET /v1/calls/p0-7/events after e1");
    }

    @Test
    void aRefusalNamesItsReason() {
        answers.add(status(403, "{\"detail\": \"no scope\"}"));

        assertThatThrownBy(() -> join(fleet.call(call()).first())).cause()
                .isInstanceOf(ToolFleetClientException.class).hasMessageContaining("no scope");
        assertThat(requests).hasSize(1);
    }

    @Test
    void aTokenThatCannotBeHadIsAFailedAttempt() throws Exception {
        answers.addAll(List.of(status(202, "{}"), events(event("result", "e2", OK), false)));
        AtomicInteger supplied = new AtomicInteger();
        try (GatewayFleet own = fleet(Optional.of(() -> {
            if (supplied.incrementAndGet() == 2)
                throw new IllegalStateException("the issuer is away");
            return "t" + supplied.get();
        }))) {
            assertThat(join(own.call(call()).last()).isFinal()).isTrue();
        }
        assertThat(tokens).containsExactly("Bearer t1", "Bearer t3");
    }

    @Test
    void anEventThatCannotBeReadEndsTheWait() {
        answers.addAll(List.of(status(202, "{}"), events(event("result", "e2", "{"), false)));

        TurnFleet.SentCallResults results = fleet.call(call());

        assertThatThrownBy(() -> join(results.last())).cause().isInstanceOf(ToolFleetClientException.class)
                .hasMessageContaining("no result of call 'c1'");
        assertThat(results.first().toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void aRedirectIsNoSuccess() {
        answers.addAll(List.of(status(302, ""), status(307, "")));

        assertThatThrownBy(() -> join(fleet.call(call()).last())).cause().hasMessageContaining("answered 302");
        assertThatThrownBy(() -> fleet.beginStep(step()).toCompletableFuture().join()).cause()
                .hasMessageContaining("answered 307");
        assertThat(requests).hasSize(2);
    }

    @Test
    void whatIsNoAnswerOfAGatewayIsRefused() {
        answers.addAll(List.of(status(202, "{}", "http://elsewhere.example/v1/calls/p0-7"),
                status(202, "{}", ".elsewhere.example/v1/calls/p0-7"), status(200, "{\"digest\": \"d\"}"),
                status(200, "<html>")));

        assertThatThrownBy(() -> join(fleet.call(call()).last())).cause()
                .hasMessageContaining("http://elsewhere.example");
        assertThatThrownBy(() -> join(fleet.call(call()).last())).cause()
                .hasMessageContaining("does not begin with /v1/calls/");
        assertThatThrownBy(() -> fleet.beginStep(step()).toCompletableFuture().join()).cause()
                .hasMessageContaining("no array 'tools'");
        assertThatThrownBy(() -> fleet.beginStep(step()).toCompletableFuture().join()).cause()
                .hasMessageContaining("no JSON");
        assertThat(requests).allMatch(request -> request.startsWith("POST"));
    }

    @Test
    void aStreamWithoutHeadersIsOpenedAgain() throws Exception {
        answers.addAll(List.of(status(202, "{}"), exchange -> {}, events(event("result", "e2", OK), false)));

        assertThat(join(fleet.call(call()).last()).isFinal()).isTrue();
        assertThat(requests).endsWith("GET /v1/calls/p0-7/events", "GET /v1/calls/p0-7/events");
    }

    @Test
    void aLostAnswerIsSentAgain() throws Exception {
        Answer stalls = exchange -> {
            exchange.getResponseHeaders().add("Location", "/v1/calls/p0-7");
            exchange.sendResponseHeaders(202, 0);
            write(exchange, "{");
        };
        answers.addAll(List.of(HttpExchange::close, stalls, status(202, "{}"),
                events(event("result", "e2", OK), false)));

        assertThat(join(fleet.call(call()).last()).isFinal()).isTrue();
        assertThat(requests).filteredOn(request -> request.startsWith("POST")).hasSize(3);
    }

    @Test
    void aStreamWithoutEventsIsNoFailure() throws Exception {
        Answer beats = events(": alive\n\n", false);
        answers.addAll(List.of(beats, beats, events(event("result", "e2", OK), false)));
        GatewayHttp http = new GatewayHttp(URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                Optional.empty(), Duration.ofSeconds(2));

        ToolResult result = new CallEventStream(http, "/v1/calls/p0-7", Duration.ofSeconds(2), 2)
                .follow(Duration.ofSeconds(30), pending -> {});

        assertThat(result.isFinal()).isTrue();
    }

    @Test
    void aGatewayThatIsAwayIsGivenUp() {
        answers.addAll(List.of(status(502, ""), status(502, ""), status(502, "")));
        GatewayHttp http = new GatewayHttp(URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                Optional.empty(), Duration.ofSeconds(2));
        CallEventStream stream = new CallEventStream(http, "/v1/calls/p0-7", Duration.ofSeconds(2), 2);

        assertThatThrownBy(() -> stream.follow(Duration.ofSeconds(30), pending -> {})).isInstanceOf(IOException.class)
                .hasMessageContaining("502");
        assertThat(requests).hasSize(2);
    }

    @Test
    void aGatewayWithoutPlacesForStreamsIsRead() throws Exception {
        answers.addAll(List.of(status(202, "{}"), status(429, ""), status(200, "{\"pending\": " + PENDING + "}"),
                status(503, ""), status(200, "{\"pending\": " + PENDING + ", \"result\": " + OK + "}")));

        TurnFleet.SentCallResults results = fleet.call(call());

        assertThat(join(results.first()).isFinal()).isFalse();
        assertThat(join(results.last()).isFinal()).isTrue();
        assertThat(requests).endsWith("GET /v1/calls/p0-7/events", "GET /v1/calls/p0-7", "GET /v1/calls/p0-7/events",
                "GET /v1/calls/p0-7");
    }

    @Test
    void aDuplicateIsFollowedAgainAsTheCallBeforeIt() throws Exception {
        String replayed = PENDING.replace("\"replayed\": false", "\"replayed\": true");
        answers.addAll(
                List.of(status(202, "{}"), events(event("pending", "e1", "{\"result\": " + replayed + "}"), true),
                        events(event("result", "e2", OK), false)));
        try (GatewayFleet patient = fleet(Optional.empty(), Duration.ofMinutes(10), Duration.ofSeconds(2))) {
            assertThat(join(patient.call(call()).last()).isFinal()).isTrue();
        }
        assertThat(requests).last().isEqualTo("GET /v1/calls/p0-7/events after e1");
    }

    @Test
    void theEndOfAStepIsNotWaitedForAndNamesItsIndex() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        CompletableFuture<String> body = new CompletableFuture<>();
        answers.add(exchange -> {
            body.complete(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            try {
                answered.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            status(202, "{}").to(exchange);
        });

        CompletableFuture<Void> ended = fleet.endStep(new StepEnded("office/1", "clerk", "t", "s", 1))
                .toCompletableFuture();

        assertThat(ended).isNotDone();
        answered.countDown();
        ended.get(30, TimeUnit.SECONDS);
        assertThat(requests).containsExactly("POST /v1/instances/office%2F1/agents/clerk/steps/t/s/end");
        assertThat(body.get(30, TimeUnit.SECONDS)).isEqualTo("{\"stepIndex\":1}");
    }

    @Test
    void aFleetThatIsClosedLeavesItsCallsAndTakesNoMore() {
        answers.addAll(List.of(status(202, "{}"), events(": alive\n\n", true)));
        TurnFleet.SentCallResults open = fleet.call(call());
        Awaitility.await().until(() -> requests.size() == 2);

        fleet.close();

        assertThatThrownBy(() -> join(open.last())).cause().isInstanceOf(ToolFleetClientException.class)
                .extracting("reason").isEqualTo(Reason.CLOSED);
        assertThatThrownBy(() -> join(open.first())).cause().extracting("reason").isEqualTo(Reason.CLOSED);
        assertThatThrownBy(() -> join(fleet.call(call()).last())).cause().extracting("reason")
                .isEqualTo(Reason.CLOSED);
        assertThatThrownBy(() -> fleet.beginStep(step()).toCompletableFuture().join()).cause().extracting("reason")
                .isEqualTo(Reason.CLOSED);
        assertThat(requests).hasSize(2);
    }
}
