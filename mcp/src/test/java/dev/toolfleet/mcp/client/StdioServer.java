package dev.toolfleet.mcp.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.toolfleet.mcp.rpc.Line;
import dev.toolfleet.mcp.rpc.LineReader;
import dev.toolfleet.mcp.rpc.RpcCodec;
import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.mcp.rpc.RpcLimits;
import dev.toolfleet.mcp.rpc.RpcMessage;
import dev.toolfleet.mcp.rpc.UnreadableMessage;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Server of a test at the other end of two pipes. A request without a handler is answered by `-32601`.
final class StdioServer implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    final List<RpcMessage> received = new CopyOnWriteArrayList<>();

    private final Pipe requests;
    private final Pipe answers;
    private final OutputStream out;
    private final RpcCodec codec = new RpcCodec(RpcLimits.DEFAULT);
    private final Map<String, Consumer<RpcMessage.Request>> handlers = new ConcurrentHashMap<>();

    StdioServer() throws IOException {
        requests = Pipe.open();
        answers = Pipe.open();
        out = Channels.newOutputStream(answers.sink());
    }

    static ObjectNode json(String text) {
        return (ObjectNode) JSON.readTree(text);
    }

    /// A server of 2026-07-28 with these tools.
    static StdioServer modern(String capabilities, String tools) throws IOException {
        return new StdioServer().answering("server/discover", """
                {"supportedVersions": ["2026-07-28"], "capabilities": %s, "instructions": "Be quick.",
                 "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "fake", "version": "1"}}}
                """.formatted(capabilities)).answering("tools/list", "{\"tools\": " + tools + ", \"ttlMs\": 5000}");
    }

    /// A server of 2025-11-25 with these tools.
    static StdioServer legacy(String capabilities, String tools) throws IOException {
        return new StdioServer().answering("initialize", """
                {"protocolVersion": "2025-11-25", "capabilities": %s, "serverInfo": {"name": "old", "version": "1"}}
                """.formatted(capabilities)).answering("tools/list", "{\"tools\": " + tools + "}");
    }

    StdioServer answering(String method, String result) {
        return on(method, request -> result(request, result));
    }

    StdioServer on(String method, Consumer<RpcMessage.Request> handler) {
        handlers.put(method, handler);
        return this;
    }

    StdioServer start() {
        Thread.ofPlatform().daemon().name("fake-server").start(this::serve);
        return this;
    }

    InputStream output() {
        return Channels.newInputStream(answers.source());
    }

    OutputStream input() {
        return Channels.newOutputStream(requests.sink());
    }

    void result(RpcMessage.Request request, String result) {
        send(new RpcMessage.Result(request.id(), json(result)));
    }

    void error(RpcMessage.Request request, RpcError error) {
        send(new RpcMessage.Failure(request.id(), error));
    }

    void notification(String method, String params) {
        send(new RpcMessage.Notification(method, json(params)));
    }

    void send(RpcMessage message) {
        line(new String(codec.write(message), StandardCharsets.UTF_8));
    }

    void line(String text) {
        raw((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    synchronized void raw(byte[] bytes) {
        try {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the requests of a method.
    List<RpcMessage.Request> requests(String method) {
        return received.stream().filter(RpcMessage.Request.class::isInstance).map(RpcMessage.Request.class::cast)
                .filter(request -> request.method().equals(method)).toList();
    }

    /// Returns the notifications of a method.
    List<RpcMessage.Notification> notifications(String method) {
        return received.stream().filter(RpcMessage.Notification.class::isInstance)
                .map(RpcMessage.Notification.class::cast)
                .filter(notification -> notification.method().equals(method)).toList();
    }

    @Override
    public void close() {
        die();
    }

    /// Ends as a process that dies.
    void die() {
        try {
            answers.sink().close();
            requests.source().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve() {
        LineReader lines = new LineReader(Channels.newInputStream(requests.source()), RpcLimits.DEFAULT.maxBytes());
        try {
            for (Line line = lines.next(); line instanceof Line.Whole(byte[] bytes); line = lines.next())
                take(codec.read(bytes));
        } catch (IOException | UncheckedIOException | UnreadableMessage e) {
            // The client has gone, or this server has died.
        }
    }

    private void take(RpcMessage message) {
        received.add(message);
        if (message instanceof RpcMessage.Request request) {
            handlers.getOrDefault(request.method(), unknown -> error(unknown,
                    new RpcError(RpcError.METHOD_NOT_FOUND, "no such method"))).accept(request);
        }
    }
}
