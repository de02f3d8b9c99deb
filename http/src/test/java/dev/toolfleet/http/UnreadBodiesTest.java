package dev.toolfleet.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.javalin.http.Context;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// A client that is refused before its body was read sees why.
class UnreadBodiesTest {
    private final FleetServer server = new FleetServer(
            HttpConfig.of("oven.http", "127.0.0.1", "0", "", "").orElseThrow());

    UnreadBodiesTest() {
        Route fine = to -> Route.read(to, "/v1/fine", ctx -> ctx.result("fine"));
        server.start(List.of(fine), "There is /v1/fine.", new SimpleMeterRegistry(), UnreadBodiesTest::check);
    }

    private static void check(Context ctx) {
        if (ctx.path().equals("/v1/closed"))
            throw new ProblemException(Problem.of(ProblemType.UNAUTHORIZED, "It is closed."));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Socket open(String headers) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.reachedAt().port());
        socket.getOutputStream().write(("POST /v1/closed HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers + "\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c; (c = in.read()) >= 0 && c != '\r';)
            line.append((char) c);
        return line.toString();
    }

    @RepeatedTest(5)
    void aClientThatWritesItsWholeBodyFirstReadsTheRefusal() throws Exception {
        int length = UnreadBodies.MOST;
        try (Socket socket = open("Content-Length: " + length + "\r\n")) {
            OutputStream out = socket.getOutputStream();
            for (int sent = 0; sent < length; sent += 1 << 16)
                out.write(new byte[1 << 16]);

            assertThat(line(socket.getInputStream())).startsWith("HTTP/1.1 401");
        }
    }

    @Test
    void aBodyWithoutALengthIsDroppedToo() throws Exception {
        try (Socket socket = open("Transfer-Encoding: chunked\r\n")) {
            OutputStream out = socket.getOutputStream();
            byte[] chunk = ("10000\r\n" + "x".repeat(1 << 16) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < 40; i++)
                out.write(chunk);
            out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(line(socket.getInputStream())).startsWith("HTTP/1.1 401");
        }
    }

    @Test
    void theRefusalIsThereBeforeTheBodyIs() throws Exception {
        try (Socket socket = open("Content-Length: 1000\r\n")) {
            assertThat(line(socket.getInputStream())).startsWith("HTTP/1.1 401");
        }
    }

    @Test
    void aBodyBeyondTheBoundIsNotWaitedFor() throws Exception {
        try (Socket socket = open("Content-Length: " + (UnreadBodies.MOST + 1) + "\r\n")) {
            assertThat(line(socket.getInputStream())).startsWith("HTTP/1.1 401");
        }
    }

    @Test
    void aClientThatAsksBeforeItSendsIsAnsweredAtOnce() throws Exception {
        try (Socket socket = open("Content-Length: 1000\r\nExpect: 100-continue\r\n")) {
            assertThat(line(socket.getInputStream())).startsWith("HTTP/1.1 401");
        }
    }
}
