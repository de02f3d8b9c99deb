package dev.toolfleet.gateway.webhook;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLSocketFactory;

import com.standardwebhooks.Webhook;
import com.sun.net.httpserver.HttpServer;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.Delivery;
import dev.toolfleet.gateway.calls.Delivery.Outcome;
import dev.toolfleet.wire.Callback;
import dev.toolfleet.worker.egress.AddressLookup;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class WebhooksTest {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final byte[] BODY = "{\"status\":\"ok\",\"output\":\"größer\"}".getBytes(StandardCharsets.UTF_8);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final AtomicInteger lookups = new AtomicInteger();
    private final Queue<Map<String, List<String>>> requests = new ConcurrentLinkedQueue<>();
    private final Queue<String> bodies = new ConcurrentLinkedQueue<>();
    private volatile int status = 204;
    @SuppressWarnings("NullAway.Init")
    private HttpServer receiver;
    @SuppressWarnings("NullAway.Init")
    private Webhooks webhooks;

    @BeforeEach
    void start() throws Exception {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        receiver.createContext("/", exchange -> {
            requests.add(exchange.getRequestHeaders());
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.getResponseHeaders().add("Location", "http://127.0.0.1:1/elsewhere");
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        receiver.start();
        WebhookConfig config = WebhookConfig.of(Map.of("s", SECRET), List.of("127.0.0.1", "up.example"));
        webhooks = new Webhooks(config, meters, InstantSource.system(), new AddressLookup(name -> {
            // A name server of an attacker, or none.
            lookups.incrementAndGet();
            return new InetAddress[]{InetAddress.ofLiteral("127.0.0.1")};
        }, () -> List.of()), (SSLSocketFactory) SSLSocketFactory.getDefault(), Duration.ofSeconds(2));
    }

    @AfterEach
    void stop() {
        webhooks.close();
        receiver.stop(0);
    }

    private String url(String host) {
        return "http://" + host + ":" + receiver.getAddress().getPort() + "/hook?tenant=7";
    }

    private Outcome send(String url) throws Exception {
        return send(new Callback(url, "s"));
    }

    private Outcome send(Callback callback) throws Exception {
        CompletableFuture<Outcome> ended = new CompletableFuture<>();
        webhooks.room(callback, BODY.length).orElseThrow()
                .send(new Delivery(new CallId(2, 41), "call_1", callback, BODY), ended::complete);
        return ended.get(60, TimeUnit.SECONDS);
    }

    private double attempts(String outcome) {
        return meters.get(WebhookMeters.ATTEMPTS).tag(WebhookMeters.OUTCOME, outcome).counter().count();
    }

    @Test
    void aResultArrivesSignedWithTheIdsOfDeliveryAndCall() throws Exception {
        assertThat(send(url("127.0.0.1"))).isEqualTo(new Outcome.Delivered());

        Map<String, List<String>> headers = requests.remove();
        String body = bodies.remove();
        assertThat(body.getBytes(StandardCharsets.UTF_8)).isEqualTo(BODY);
        assertThat(headers.get("Webhook-id")).containsExactly("call_1");
        assertThat(headers.get("Toolfleet-call-id")).containsExactly("2-41");
        assertThat(headers.get("Content-type")).containsExactly("application/json");
        HttpHeaders sent = HttpHeaders.of(headers, (_, _) -> true);
        assertThatCode(() -> new Webhook(SECRET).verify(body, sent)).doesNotThrowAnyException();
        assertThat(attempts("delivered")).isEqualTo(1);
    }

    @Test
    void everyOtherStatusIsAFailureAndGoneIsTheEnd() throws Exception {
        for (int other : List.of(301, 307, 400, 429, 500, 503)) {
            status = other;
            assertThat(send(url("127.0.0.1"))).isEqualTo(new Outcome.Failed("the receiver answered " + other));
        }
        status = 410;
        assertThat(send(url("127.0.0.1"))).isEqualTo(new Outcome.Refused("the receiver answered 410"));
        assertThat(requests).as("redirects are not followed").hasSize(7);
        assertThat(attempts("failed")).isEqualTo(7);
    }

    @Test
    void aNameThatLeadsInsideIsNotReachedUnlessItIsNamed() throws Exception {
        assertThat(send("https://rebound.example:" + receiver.getAddress().getPort() + "/"))
                .isInstanceOfSatisfying(Outcome.Failed.class,
                        failed -> assertThat(failed.reason()).contains("may not be reached"));
        assertThat(requests).isEmpty();

        assertThat(send(url("up.example"))).isEqualTo(new Outcome.Delivered());
        assertThat(lookups).as("one for each request: the connection has what was checked").hasValue(2);
    }

    @Test
    void aReceiverWithoutTlsIsNoReceiverOfHttps() throws Exception {
        assertThat(send("https://up.example:" + receiver.getAddress().getPort() + "/"))
                .isInstanceOf(Outcome.Failed.class);
        assertThat(requests).isEmpty();
    }

    @Test
    void anUnknownSecretFailsAndAWrongUrlIsTheEnd() throws Exception {
        assertThat(send(new Callback(url("127.0.0.1"), "other"))).isInstanceOf(Outcome.Failed.class);
        assertThat(send("nonsense")).isInstanceOf(Outcome.Refused.class);
        assertThat(requests).isEmpty();
    }

    @Test
    void aReceiverThatIsSilentOrNeverEndsIsCutOff() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            assertThat(send("http://127.0.0.1:" + silent.getLocalPort() + "/")).isInstanceOf(Outcome.Failed.class);
        }
        try (ServerSocket endless = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> flood(endless));
            assertThat(send("http://127.0.0.1:" + endless.getLocalPort() + "/")).isInstanceOf(Outcome.Failed.class);
        }
    }

    /// Sends interim answers without end.
    private static void flood(ServerSocket server) {
        try (Socket socket = server.accept()) {
            while (true)
                socket.getOutputStream().write("HTTP/1.1 102 Processing\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // The client has gone.
        }
    }
}
