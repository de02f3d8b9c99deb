package dev.toolfleet.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.toolfleet.json.Json;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests of requests to a service without a token: hosts that are not its own, and headers that never end.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class UnaskedGuestsTest {
    private final FleetServer server = new FleetServer(
            HttpConfig.of("oven.http", "127.0.0.1", "0", "", "").orElseThrow(),
            new ServerLimits(256, Duration.ofMillis(300), Duration.ofSeconds(30)));

    UnaskedGuestsTest() {
        Route echo = routes -> Route.read(routes, "/v1/echo",
                ctx -> Answers.validated(ctx, Json.MAPPER.createObjectNode().put("said", "hello")));
        server.start(List.of(echo), "There is /v1/echo.", new SimpleMeterRegistry());
    }

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LocalHost:7070", "127.0.0.1", "127.8.0.1:1", "[::1]", "[::1]:7070"})
    void thisMachineMayAskByItsNames(String host) throws IOException {
        assertThat(ask(host)).startsWith("HTTP/1.1 200 ").contains("hello");
    }

    @ParameterizedTest
    @ValueSource(strings = {"attacker.example", "attacker.example:7070", "localhost.attacker.example",
            "127.0.0.1.attacker.example", "192.168.0.7", "[::2]", "0.0.0.0"})
    void aNameOfSomebodyElseIsRefused(String host) throws IOException {
        assertThat(ask(host)).startsWith("HTTP/1.1 403 ").contains("oven.http.token").doesNotContain("hello");
    }

    @Test
    void theNamesThatItIsGivenAreItsOwn() {
        AllowedHosts hosts = AllowedHosts.of(
                HttpConfig.of("oven.http", "127.0.0.1", "0", "", "oven.example:7070").orElseThrow());

        assertThat(hosts.contains("Oven.example")).isTrue();
        assertThat(hosts.contains("example")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /v1/echo?", "GET /v1/echo HTTP/1.1\r\nHost: localhost\r\nX-Long: "})
    void aRequestThatComesByteByByteIsCutOff(String begin) throws IOException {
        try (Socket socket = connected()) {
            send(socket, begin);
            assertThat(isCutOff(socket)).isTrue();
        }
    }

    @Test
    void theSecondRequestOfAConnectionIsCutOffToo() throws IOException {
        try (Socket socket = connected()) {
            send(socket, "GET /v1/echo HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 200");
            send(socket, "GET /v1/echo HTTP/1.1\r\nHost: ");
            assertThat(isCutOff(socket)).isTrue();
        }
    }

    /// Sends a byte now and then until the server ends it.
    private static boolean isCutOff(Socket socket) throws IOException {
        socket.setSoTimeout(20);
        InputStream in = socket.getInputStream();
        while (true) {
            try {
                send(socket, "a");
                if (in.read() < 0)
                    return true;
            } catch (SocketTimeoutException e) {
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            } catch (SocketException e) {
                return true;
            }
        }
    }

    private String ask(String host) throws IOException {
        try (Socket socket = connected()) {
            send(socket, "GET /v1/echo HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Socket connected() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.reachedAt().port());
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }
}
