package dev.toolfleet.mcp.client;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.toolfleet.mcp.transport.HttpEndpoint;
import tools.jackson.databind.node.ObjectNode;

/// HTTP server of a test, with a handler for each method of the protocol. A request without one is answered by 404.
public final class HttpServerAtFault implements AutoCloseable {
    /// Request of a client.
    public record Asked(HttpExchange exchange, ObjectNode message) {
        public String method() {
            return message.path("method").asString("");
        }

        public String header(String name) {
            String value = exchange.getRequestHeaders().getFirst(name);
            return value == null ? "" : value;
        }

        public void json(int status, String body) throws IOException {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }

        public void result(String result) throws IOException {
            json(200, "{\"jsonrpc\": \"2.0\", \"id\": " + message.get("id") + ", \"result\": " + result + "}");
        }

        public void error(int status, int code) throws IOException {
            json(status, "{\"jsonrpc\": \"2.0\", \"id\": " + message.get("id") + ", \"error\": {\"code\": " + code
                    + ", \"message\": \"no\"}}");
        }

        public OutputStream events() throws IOException {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            return exchange.getResponseBody();
        }

        public static void event(OutputStream stream, String text) throws IOException {
            stream.write((text + "\n\n").getBytes(StandardCharsets.UTF_8));
            stream.flush();
        }
    }

    /// Answer to a request.
    public interface Handler {
        void handle(Asked asked) throws IOException;
    }

    final List<Asked> received = new CopyOnWriteArrayList<>();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Handler> handlers = new ConcurrentHashMap<>();

    public HttpServerAtFault() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    public static HttpServerAtFault modern(String capabilities, String tools) throws IOException {
        return new HttpServerAtFault().on("server/discover", asked -> asked.result(
                "{\"supportedVersions\": [\"2026-07-28\"], \"capabilities\": " + capabilities + "}"))
                .on("tools/list", asked -> asked.result("{\"tools\": " + tools + "}"));
    }

    /// A server of 2025-11-25 with the session `s1`.
    public static HttpServerAtFault legacy(String capabilities, String tools) throws IOException {
        return new HttpServerAtFault().on("server/discover", asked -> asked.json(400, "")).on("initialize", asked -> {
            asked.exchange().getResponseHeaders().set("Mcp-Session-Id", "s1");
            asked.result("{\"protocolVersion\": \"2025-11-25\", \"serverInfo\": {\"name\": \"old\"}, "
                    + "\"capabilities\": " + capabilities + "}");
        }).on("notifications/initialized", asked -> asked.json(202, ""))
                .on("notifications/cancelled", asked -> asked.json(202, ""))
                .on("tools/list", asked -> asked.result("{\"tools\": " + tools + "}"))
                .on("GET", asked -> asked.json(405, "")).on("DELETE", asked -> asked.json(200, ""));
    }

    public HttpServerAtFault on(String method, Handler handler) {
        handlers.put(method, handler);
        return this;
    }

    public HttpEndpoint endpoint() {
        return HttpEndpoint.of(uri(), Map.of("Authorization", "Bearer t"));
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp");
    }

    public List<Asked> received(String method) {
        return received.stream().filter(asked -> asked.method().equals(method)).toList();
    }

    @Override
    public void close() {
        die();
    }

    /// Ends as a process that dies.
    public void die() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Asked asked = new Asked(exchange, StdioServer.json(exchange.getRequestMethod().equals("POST")
                    ? body
                    : "{\"method\": \"" + exchange.getRequestMethod() + "\"}"));
            received.add(asked);
            handlers.getOrDefault(asked.method(), unknown -> unknown.json(404, "")).handle(asked);
        }
    }
}
