package dev.toolfleet.mcp.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.util.Map;

import dev.toolfleet.mcp.protocol.Meta;
import dev.toolfleet.mcp.protocol.Methods;
import dev.toolfleet.mcp.rpc.HeaderText;
import dev.toolfleet.mcp.rpc.RpcMessage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Streamable HTTP of 2026-07-28: a POST for each request, headers that repeat parts of the body, no session.
public final class ModernHttp implements Transport {
    private final HttpChannel channel;
    private volatile @Nullable Receiver receiver;

    /// A transport over that channel.
    public ModernHttp(HttpChannel channel) {
        this.channel = channel;
    }

    @Override
    public void open(Receiver receiver) {
        this.receiver = receiver;
    }

    @Override
    public Dispatch send(RpcMessage message, Map<String, String> headers) {
        HttpPost post = new HttpPost();
        HttpRequest.Builder request = channel.request(headers);
        request.setHeader("Content-Type", "application/json").setHeader("Accept",
                "application/json, text/event-stream");
        switch (message) {
            case RpcMessage.Request(var id, String method, ObjectNode params) -> {
                addHeaders(request, method, params);
                Receiver to = HttpFailure.receiver(receiver);
                HttpAnswer answer = new HttpAnswer(channel, id, to);
                post.send(channel.client(), request, channel.codec().write(message), (response, failure) -> {
                    try {
                        if (response == null)
                            to.unanswered(id, HttpFailure.of(post, failure));
                        else if (answer.read(response) != null)
                            to.unanswered(id, new NoAnswer.Lost("the response ended before the answer"));
                    } catch (IOException | UncheckedIOException e) {
                        to.unanswered(id, HttpFailure.of(post, e));
                    } finally {
                        post.abandon();
                    }
                });
            }
            default -> throw new IllegalArgumentException(
                    "a modern client sends requests alone over HTTP, not " + message);
        }
        return post;
    }

    private static void addHeaders(HttpRequest.Builder request, String method, ObjectNode params) {
        request.setHeader(Meta.VERSION_HEADER, params.path(Meta.FIELD).path(Meta.VERSION).asString(""))
                .setHeader(Meta.METHOD_HEADER, method);
        String name = switch (method) {
            case Methods.CALL_TOOL, Methods.GET_PROMPT -> params.path("name").stringValue(null);
            case Methods.READ_RESOURCE -> params.path("uri").stringValue(null);
            case Methods.GET_TASK, Methods.UPDATE_TASK, Methods.CANCEL_TASK ->
                params.path("taskId").stringValue(null);
            default -> null;
        };
        if (name != null)
            request.setHeader(Meta.NAME_HEADER, HeaderText.encode(name));
    }

    @Override
    public boolean cancelsByClose() {
        return true;
    }

    @Override
    public void close() {
        channel.close();
    }
}
