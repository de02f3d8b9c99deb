package dev.toolfleet.mcp.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Exchange whose response is kept, and whose client can go.
final class MemoryExchange implements WebExchange {
    private static final JsonMapper MAPPER = new JsonMapper();

    private final Map<String, String> request = new HashMap<>();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final CountDownLatch streams = new CountDownLatch(1);
    private volatile boolean gone;
    private volatile int status;
    private Map<String, String> headers = Map.of();
    private byte[] body = new byte[0];

    MemoryExchange with(String header, String value) {
        request.put(header.toLowerCase(Locale.ROOT), value);
        return this;
    }

    void leave() {
        gone = true;
    }

    void awaitStream() throws InterruptedException {
        streams.await();
    }

    int status() {
        return status;
    }

    Map<String, String> headers() {
        return headers;
    }

    /// Returns the answer. On a busy machine it comes after the server's patience, and so as the last event of a stream.
    JsonNode json() {
        return events.isEmpty() ? MAPPER.readTree(body) : messages().getLast();
    }

    int bodyLength() {
        return body.length;
    }

    /// Returns the messages of the stream so far.
    List<JsonNode> messages() {
        return String.join("", events).lines().filter(line -> line.startsWith("data: "))
                .map(line -> MAPPER.readTree(line.substring("data: ".length()))).toList();
    }

    @Override
    public @Nullable String header(String name) {
        return request.get(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public void respond(int code, Map<String, String> fields, byte[] json) throws IOException {
        check();
        headers = fields;
        body = json;
        status = code;
    }

    @Override
    public OutputStream stream(Map<String, String> fields) throws IOException {
        check();
        headers = fields;
        status = 200;
        streams.countDown();
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[]{(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                check();
                events.add(new String(bytes, offset, length, StandardCharsets.UTF_8));
            }
        };
    }

    private void check() throws IOException {
        if (gone)
            throw new IOException("the client has gone");
    }
}
