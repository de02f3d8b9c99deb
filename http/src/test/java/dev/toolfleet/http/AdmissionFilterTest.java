package dev.toolfleet.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.javalin.http.Context;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The stay of a request ends once, whatever becomes of it.
class AdmissionFilterTest {
    /// More than the buffers of both ends of a connection hold.
    private static final int LARGE = 64 * 1024 * 1024;

    private final Stays stays = new Stays();
    private final FleetServer server = new FleetServer(
            HttpConfig.of("oven.http", "127.0.0.1", "0", "", "").orElseThrow(),
            ServerLimits.DEFAULT.withIdle(Duration.ofMinutes(10)));

    private static final class Stays implements Admission {
        private final AtomicInteger begun = new AtomicInteger();
        private final AtomicInteger ended = new AtomicInteger();

        @Override
        public void check(Context ctx) {
            begun.incrementAndGet();
            if (ctx.path().equals("/v1/closed"))
                throw new ProblemException(Problem.of(ProblemType.UNAUTHORIZED, "It is closed."));
        }

        @Override
        public void ended(HttpServletRequest request) {
            ended.incrementAndGet();
        }
    }

    AdmissionFilterTest() {
        List<Route> routes = List.of(to -> Route.read(to, "/v1/fine", ctx -> ctx.result("fine")),
                to -> Route.read(to, "/v1/closed", ctx -> ctx.result("open")),
                to -> Route.read(to, "/v1/fault", _ -> {
                    throw new IllegalStateException("burnt");
                }),
                to -> Route.read(to, "/v1/error", _ -> {
                    throw new StackOverflowError();
                }),
                to -> Route.read(to, "/v1/large", ctx -> ctx.result(new byte[LARGE])));
        server.start(routes, "There is /v1/fine.", new SimpleMeterRegistry(), stays);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Socket send(String method, String path) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.reachedAt().port());
        socket.getOutputStream().write((method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
                + "\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    @ParameterizedTest
    @CsvSource({"GET, /v1/fine, 200", "GET, /v1/closed, 401", "GET, /v1/fault, 500", "GET, /v1/error, 500",
            "GET, /v1/none, 404", "DELETE, /v1/fine, 405", "HEAD, /v1/fine, 200"})
    void itEndsAfterAnAnswerOfAnyKind(String method, String path, int status) throws Exception {
        try (Socket socket = send(method, path)) {
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(answer).startsWith("HTTP/1.1 " + status);
        }
        Awaitility.await().until(() -> stays.ended.get() == 1);
        assertThat(stays.begun).hasValue(1);
    }

    @Test
    void itLastsWhileTheAnswerIsTakenAndEndsWhenTheClientHasGone() throws Exception {
        try (Socket socket = send("GET", "/v1/large")) {
            InputStream in = socket.getInputStream();

            assertThat(in.read()).as("the answer is being written").isEqualTo('H');

            assertThat(stays.ended).hasValue(0);
        }
        Awaitility.await().until(() -> stays.ended.get() == 1);
        assertThat(stays.begun).hasValue(1);
    }
}
