package dev.toolfleet.mcp.relay;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.toolfleet.mcp.rpc.RpcCodec;
import dev.toolfleet.mcp.rpc.RpcLimits;
import dev.toolfleet.mcp.transport.HttpEndpoint;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.awaitility.Awaitility.await;

/// Client of a test that speaks with a relay over its streams.
final class RelayedClient implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    final List<JsonNode> lines = new CopyOnWriteArrayList<>();
    final List<String> notices = new CopyOnWriteArrayList<>();
    private final PipedOutputStream in = new PipedOutputStream();
    private final Thread relay;

    RelayedClient(HttpEndpoint endpoint, Duration patience) throws IOException {
        this(endpoint, patience, false);
    }

    RelayedClient(HttpEndpoint endpoint, Duration patience, boolean keysOutliveSessions) throws IOException {
        PipedInputStream from = new PipedInputStream(in, 1 << 16);
        StdioRelay made = new StdioRelay(new StdioRelay.Settings(endpoint, keysOutliveSessions, patience, notices::add),
                new RpcCodec(RpcLimits.DEFAULT), new Lines());
        relay = Thread.ofPlatform().start(() -> {
            try {
                made.run(from);
            } catch (IOException | InterruptedException e) {
                notices.add("ended: " + e);
            }
        });
    }

    private final class Lines extends OutputStream {
        private final StringBuilder line = new StringBuilder();

        @Override
        public void write(int octet) {
            if (octet == '\n') {
                lines.add(JSON.readTree(line.toString()));
                line.setLength(0);
            } else {
                line.append((char) octet);
            }
        }
    }

    void send(String message) throws IOException {
        in.write((message + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    /// Sends a request and waits for its answer.
    JsonNode ask(int id, String method, String params) throws IOException {
        send("{\"jsonrpc\": \"2.0\", \"id\": " + id + ", \"method\": \"" + method + "\", \"params\": " + params + "}");
        return answer(id);
    }

    JsonNode answer(int id) {
        return await().atMost(Duration.ofSeconds(30)).until(
                () -> lines.stream().filter(line -> line.path("id").asInt(-1) == id).findFirst(),
                Optional::isPresent).orElseThrow();
    }

    void initialize() throws IOException {
        ask(1, "initialize", "{\"protocolVersion\": \"2025-11-25\", \"capabilities\": {}, "
                + "\"clientInfo\": {\"name\": \"test\", \"version\": \"1\"}}");
        send("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}");
    }

    /// Closes the client's side, and waits for the relay's end.
    @Override
    public void close() throws IOException {
        in.close();
        try {
            if (!relay.join(Duration.ofSeconds(30)))
                throw new AssertionError("the relay does not end");
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while the relay ends", e);
        }
    }
}
