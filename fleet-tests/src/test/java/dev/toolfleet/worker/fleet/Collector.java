package dev.toolfleet.worker.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.sun.net.httpserver.HttpServer;

/// Takes OTLP over HTTP on loopback and keeps what came.
final class Collector implements AutoCloseable {
    private final HttpServer server;
    private final List<String> bodies = new CopyOnWriteArrayList<>();

    Collector() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/v1/traces", exchange -> {
            bodies.add(HexFormat.of().formatHex(exchange.getRequestBody().readAllBytes()));
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
    }

    /// True if spans came whose bytes hold these hexadecimal digits.
    boolean holds(String hex) {
        return bodies.stream().anyMatch(body -> body.contains(hex));
    }

    /// True if spans came that contain this text.
    boolean says(String text) {
        return holds(HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
