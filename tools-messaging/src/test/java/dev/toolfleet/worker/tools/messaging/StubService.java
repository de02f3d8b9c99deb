package dev.toolfleet.worker.tools.messaging;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Function;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.jspecify.annotations.Nullable;

/// A messaging service on this machine that records what it is sent and answers what a test wants.
public final class StubService implements AutoCloseable {
    /// Heard, and never answered.
    public static final Reply SILENCE = new Reply(0, Map.of(), "");

    private final HttpServer server;
    private final List<Seen> seen = new CopyOnWriteArrayList<>();

    /// A request.
    public record Seen(String method, String path, Headers headers, String body) {
        public @Nullable String header(String name) {
            return headers.getFirst(name);
        }

        /// The body read as a form, in order.
        public Map<String, String> form() {
            Map<String, String> form = new LinkedHashMap<>();
            for (String field : body.split("&", -1)) {
                String[] parts = field.split("=", 2);
                form.put(URLDecoder.decode(parts[0], StandardCharsets.UTF_8),
                        URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
            }
            return form;
        }
    }

    /// An answer.
    ///
    /// @param body one character is one byte
    public record Reply(int status, Map<String, String> headers, String body) {
        public static Reply json(String json) {
            return json(200, json);
        }

        public static Reply json(int status, String json) {
            return new Reply(status, Map.of("Content-Type", "application/json; charset=utf-8"),
                    json.replace('\'', '"'));
        }

        public static Reply redirect(String location) {
            return new Reply(302, Map.of("Location", location), "");
        }

        public Reply with(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(headers);
            more.put(name, value);
            return new Reply(status, more, body);
        }
    }

    private StubService(HttpServer server) {
        this.server = server;
    }

    public static StubService answering(Function<Seen, Reply> answers) throws IOException {
        StubService stub = new StubService(
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50));
        stub.server
                .setExecutor(Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("contract-server").factory()));
        stub.server.createContext("/", exchange -> stub.serve(exchange, answers));
        stub.server.start();
        return stub;
    }

    /// The same answer to everything.
    public static StubService always(Reply reply) throws IOException {
        return answering(_ -> reply);
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public List<Seen> seen() {
        return seen;
    }

    public Seen last() {
        return seen.getLast();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void serve(HttpExchange exchange, Function<Seen, Reply> answers) throws IOException {
        Seen request = new Seen(exchange.getRequestMethod(), exchange.getRequestURI().toString(),
                exchange.getRequestHeaders(),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        seen.add(request);
        Reply reply = answers.apply(request);
        if (reply.equals(SILENCE))
            waitForever();
        reply.headers().forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
        byte[] body = reply.body().getBytes(StandardCharsets.ISO_8859_1);
        // A length of 0 means chunks, with no length said.
        boolean unsaid = Objects.equals(reply.headers().get("X-Length"), "unsaid");
        exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : unsaid ? 0 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private static void waitForever() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
