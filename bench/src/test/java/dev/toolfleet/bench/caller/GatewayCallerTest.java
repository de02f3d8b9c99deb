package dev.toolfleet.bench.caller;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.toolfleet.bench.load.Course;
import dev.toolfleet.bench.load.Kind;
import dev.toolfleet.bench.load.PlannedCall;
import dev.toolfleet.bench.load.Work;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GatewayCallerTest {
    private static final String RESULT = new String(WireCodec.of(ToolResult.class).write(
            new ToolResult("call-000000", "bench__read", ResultStatus.OK,
                    Json.MAPPER.createObjectNode().put("text", "done"), null, null, "chat-1", null, null, null, 1,
                    false, null, 7, null, null)),
            StandardCharsets.UTF_8);

    private final ConcurrentLinkedDeque<Reply> replies = new ConcurrentLinkedDeque<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer gateway;
    private URI dead;

    private record Reply(int status, String id, String body) {}

    @BeforeEach
    void start() throws IOException {
        gateway = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        gateway.createContext("/", this::answer);
        gateway.start();
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            dead = URI.create("http://127.0.0.1:" + free.getLocalPort());
        }
    }

    @AfterEach
    void stop() {
        gateway.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        String key = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Idempotency-Key")).orElse("-");
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath() + " " + key);
        Reply reply = replies.size() > 1 ? replies.remove() : replies.peek();
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        if (!reply.id().isEmpty())
            exchange.getResponseHeaders().set("Toolfleet-Call-Id", reply.id());
        exchange.sendResponseHeaders(reply.status(), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private GatewayCaller caller(Duration patience) {
        return new GatewayCaller(
                List.of(dead, URI.create("http://127.0.0.1:" + gateway.getAddress().getPort())), patience);
    }

    private static PlannedCall call(int number) {
        return new PlannedCall(number, Duration.ZERO, "chat-1", 0, Work.of(Kind.READ_ONLY, Course.DIRECT),
                Optional.empty());
    }

    @Test
    void aRequestThatFailsIsSentAgainWithItsKeyUntilTheResultComes() throws Exception {
        replies.add(new Reply(503, "", "{}"));
        replies.add(new Reply(202, "3-7", "{\"id\":\"3-7\",\"stage\":\"accepted\"}"));
        replies.add(new Reply(200, "3-7", RESULT));
        try (GatewayCaller caller = caller(Duration.ofMinutes(1))) {
            CallOutcome outcome = caller.call(call(1));

            assertThat(outcome).isInstanceOfSatisfying(CallOutcome.Answered.class,
                    answered -> assertThat(answered.result().output()).hasToString("{\"text\":\"done\"}"));
            assertThat(outcome.ids()).containsExactly("3-7");
            assertThat(requests).hasSize(3).containsOnly("POST /v1/instances/chat-1/agents/bench/calls call-000001");
            assertThat(outcome.requests()).as("those to the dead gateway too").isEqualTo(6);
        }
    }

    @Test
    void aClientThatHasTheIdReadsTheCall() throws Exception {
        replies.add(new Reply(202, "3-7", "{\"id\":\"3-7\",\"stage\":\"accepted\"}"));
        replies.add(new Reply(200, "3-7", "{\"id\":\"3-7\",\"stage\":\"running\"}"));
        replies.add(new Reply(200, "3-7", "{\"id\":\"3-7\",\"stage\":\"ended\",\"result\":" + RESULT + "}"));
        try (GatewayCaller caller = caller(Duration.ofMinutes(1))) {
            assertThat(caller.call(call(0))).isInstanceOf(CallOutcome.Answered.class);
            assertThat(requests).containsExactly("POST /v1/instances/chat-1/agents/bench/calls call-000000",
                    "GET /v1/calls/3-7 -", "GET /v1/calls/3-7 -");
        }
    }

    @Test
    void aRefusalAndSilenceEndACallWithoutAnAnswer() throws Exception {
        replies.add(new Reply(404, "", "{\"detail\":\"no such call\"}"));
        try (GatewayCaller caller = caller(Duration.ofMinutes(1))) {
            assertThat(caller.call(call(1))).isInstanceOfSatisfying(CallOutcome.Unanswered.class,
                    unanswered -> assertThat(unanswered.why()).contains("status 404").contains("no such call"));
            assertThat(caller.begin(call(1).step())).hasValueSatisfying(why -> assertThat(why).contains("404"));
        }
        replies.clear();
        replies.add(new Reply(503, "", "later"));
        try (GatewayCaller caller = caller(Duration.ZERO)) {
            assertThat(caller.call(call(1))).isInstanceOf(CallOutcome.Unanswered.class);
        }
    }
}
