package dev.toolfleet.worker.tools.httpfetch;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import dev.toolfleet.json.Json;
import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.testkit.HandlerRun;
import dev.toolfleet.worker.egress.AddressLookup;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.runtime.builtin.DeclaredTool;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// However a fetch ends, its connection ends with it.
@Isolated("counts the sockets of this JVM")
class EndsOfFetchesIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int CALLS = 300;

    private final HttpFetchModule module = new HttpFetchModule(EgressList.ALL);
    private final DeclaredTool http = new DeclaredTool("http-fetch", module).configured(HttpFetchIT.LOOPBACK_ALLOWED);

    @ParameterizedTest
    @ValueSource(strings = {RawServer.SILENT, "/drip", "/drip-headers", "/endless-interim"})
    void aServerThatIsSlowDoesNotHoldACallBeyondItsTime(String path) throws Exception {
        try (RawServer server = RawServer.on("127.0.0.1", EndsOfFetchesIT::page)) {
            assertThat(http.failure("get", "{'url': '" + server.url(path) + "', 'timeoutMs': 300}").code())
                    .isEqualTo("E_HTTP_TIMEOUT");
            Awaitility.await().atMost(SOON).until(() -> server.open() == 0);
        }
    }

    /// A server that never pauses never lets the reading thread wait, where an interrupt would reach it.
    @ParameterizedTest
    @ValueSource(strings = {"/flood", "/flood-gzip-name", "/flood-continue", "/flood-headers"})
    void aServerThatNeverPausesDoesNotHoldACallOrItsThreadBeyondTheTime(String path) throws Exception {
        try (RawServer server = RawServer.on("127.0.0.1", EndsOfFetchesIT::page)) {
            assertThat(http.failure("get", "{'url': '" + server.url(path) + "', 'timeoutMs': 300}").code())
                    .isEqualTo(path.equals("/flood-headers") ? "E_HTTP_FAILED" : "E_HTTP_TIMEOUT");
            Awaitility.await().atMost(SOON).until(() -> server.open() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {RawServer.SILENT, "/drip", "/flood", "/flood-gzip-name", "/flood-continue"})
    void anInterruptClosesTheConnection(String path) throws Exception {
        try (RawServer server = RawServer.on("127.0.0.1", EndsOfFetchesIT::page)) {
            HandlerRun run = HandlerRun.start(Objects.requireNonNull(module.handlers().get("get")),
                    FakeToolContext.in(Path.of(".")).deadlineIn(Duration.ofMinutes(2)),
                    Json.MAPPER.createObjectNode().put("url", server.url(path)).put("timeoutMs", 100_000));
            Awaitility.await().atMost(SOON).until(() -> !server.seen().isEmpty());
            run.interrupt();

            assertThat(run.endsWithin(SOON)).isTrue();
            assertThat(run.outcome()).isInstanceOfSatisfying(HandlerRun.Outcome.Threw.class,
                    threw -> assertThat(threw.cause()).isInstanceOf(InterruptedException.class));
            Awaitility.await().atMost(SOON).until(() -> server.open() == 0);
        }
    }

    @Test
    void aNameServerThatDoesNotAnswerDoesNotHoldACall() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        DeclaredTool stuck = new DeclaredTool("http-fetch", new HttpFetchModule(InstantSource.system(),
                System::nanoTime, EgressList.ALL,
                new AddressLookup(name -> lookUpUninterruptibly(released), List::of),
                DefaultClientTlsStrategy.createDefault()));
        assertThat(stuck.failure("get", "{'url': 'http://slow.example/', 'timeoutMs': 100}").code())
                .isEqualTo("E_HTTP_TIMEOUT");
        released.countDown();
    }

    @Test
    void manyFetchesLeaveNoConnectionBehind() throws Exception {
        try (RawServer server = RawServer.on("127.0.0.1", EndsOfFetchesIT::page)) {
            long before = sockets();
            for (int i = 0; i < CALLS; i++) {
                switch (i % 6) {
                    case 0 -> http.call("get", "{'url': '" + server.url("/") + "'}");
                    case 1 -> http.call("get", "{'url': '" + server.url("/cut") + "', 'maxBytes': 10}");
                    case 2 -> http.call("get", "{'url': '" + server.url("/redirect") + "'}");
                    case 3 -> http.failure("get", "{'url': '" + server.url("/drip") + "', 'timeoutMs': 20}");
                    case 4 -> http.failure("get", "{'url': '" + server.url("/broken") + "'}");
                    default -> http.failure("get", "{'url': '" + server.url("/inside") + "'}");
                }
            }
            Awaitility.await().atMost(SOON).untilAsserted(() -> {
                assertThat(server.open()).isZero();
                assertThat(sockets()).isLessThanOrEqualTo(before);
            });
            assertThat(server.accepted()).isGreaterThan(CALLS / 2);
        }
    }

    private static void page(RawServer.Seen request, OutputStream out) throws Exception {
        String ok = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n";
        switch (request.path()) {
            case "/drip" -> drip(out, ok + "\r\n", "x");
            case "/drip-headers" -> drip(out, ok + "x: ", "x");
            case "/endless-interim" -> drip(out, "", "HTTP/1.1 103 Early Hints\r\n\r\n");
            case "/flood", "/cut" -> {
                String gzip = request.path().equals("/flood") ? "content-encoding: gzip\r\n" : "";
                out.write(RawServer.bytes(ok + gzip + "\r\n", new byte[0]));
                if (gzip.isEmpty())
                    HttpFetchIT.endless(out);
                emptyBlocks(out);
            }
            case "/flood-gzip-name" -> flood(out, ok + "content-encoding: gzip\r\n\r\n",
                    new byte[]{0x1f, (byte) 0x8b, 8, 8, 0, 0, 0, 0, 0, 0}, "name");
            case "/flood-continue" -> flood(out, "", new byte[0], "HTTP/1.1 100 Continue\r\n\r\n");
            case "/flood-headers" -> flood(out, ok, new byte[0], "x: y\r\n");
            case "/redirect" -> RawServer.redirecting("/").write(request, out);
            case "/inside" -> RawServer.redirecting("http://10.0.0.1:8080/").write(request, out);
            case "/broken" -> out.write(RawServer.bytes(ok + "content-length: 10\r\n\r\nx", new byte[0]));
            default -> RawServer.answering("200 OK", "fine").write(request, out);
        }
    }

    /// Sends a little again and again, so that no single read waits long.
    private static void drip(OutputStream out, String first, String again) throws Exception {
        out.write(RawServer.bytes(first, new byte[0]));
        while (true) {
            out.write(RawServer.bytes(again, new byte[0]));
            out.flush();
            Thread.sleep(Duration.ofMillis(20));
        }
    }

    private static void flood(OutputStream out, String head, byte[] first, String again) throws IOException {
        out.write(RawServer.bytes(head, first));
        byte[] much = again.repeat(500).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        while (true)
            out.write(much);
    }

    /// Compressed data without end that decompresses to nothing.
    private static void emptyBlocks(OutputStream out) throws IOException {
        out.write(new byte[]{0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0});
        byte[] blocks = new byte[5000];
        for (int i = 0; i < blocks.length; i += 5) {
            blocks[i + 3] = (byte) 0xff;
            blocks[i + 4] = (byte) 0xff;
        }
        while (true)
            out.write(blocks);
    }

    private static InetAddress[] lookUpUninterruptibly(CountDownLatch released) {
        boolean done = false;
        while (!done) {
            try {
                released.await();
                done = true;
            } catch (InterruptedException e) {
                // As the system's name service.
            }
        }
        return new InetAddress[]{InetAddress.ofLiteral("10.0.0.1")};
    }

    private static long sockets() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(EndsOfFetchesIT::isSocket).count();
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException e) {
            return false; // Closed meanwhile.
        }
    }
}
