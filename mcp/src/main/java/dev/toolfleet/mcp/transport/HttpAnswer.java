package dev.toolfleet.mcp.transport;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.mcp.rpc.RpcId;
import dev.toolfleet.mcp.rpc.RpcMessage;
import dev.toolfleet.mcp.rpc.SseEvent;
import dev.toolfleet.mcp.rpc.SseReader;
import dev.toolfleet.mcp.rpc.UnreadableMessage;
import org.jspecify.annotations.Nullable;

/// Reader of the response to one request: one JSON message, or a stream of messages up to the answer.
final class HttpAnswer {
    private static final int FIRST_ERROR = 400;
    private static final int FIRST_REDIRECT = 300;

    private final HttpChannel channel;
    private final RpcId id;
    private final Receiver receiver;

    HttpAnswer(HttpChannel channel, RpcId id, Receiver receiver) {
        this.channel = channel;
        this.id = id;
        this.receiver = receiver;
    }

    /// Reads a response.
    ///
    /// @return the reader of a stream that ended before the answer; null when the request has ended
    @Nullable
    SseReader read(HttpResponse<InputStream> response) throws IOException {
        int status = response.statusCode();
        if (status < FIRST_REDIRECT && HttpChannel.mediaType(response).equals("text/event-stream")) {
            SseReader events = new SseReader(response.body(), channel.codec().limits().maxBytes());
            return readEvents(events) ? null : events;
        }
        try (InputStream stream = response.body()) {
            byte[] body = channel.bytes(stream);
            if (isRefusedByStatus(status)) {
                receiver.unanswered(id, HttpChannel.rejected(response, body));
            } else if (HttpChannel.mediaType(response).equals("application/json")) {
                readBody(response, body);
            } else {
                receiver.unanswered(id, withoutAnswer(response, body));
            }
        }
        return null;
    }

    /// Reads a 404 and takes it as the answer if it states that the method is unknown.
    ///
    /// @return false if it states something else
    boolean readUnknownMethod(HttpResponse<InputStream> response) throws IOException {
        try (InputStream stream = response.body()) {
            if (channel.codec().read(channel.bytes(stream)) instanceof RpcMessage.Failure failure
                    && failure.error().code() == RpcError.METHOD_NOT_FOUND) {
                receiver.received(new RpcMessage.Failure(id, failure.error()));
                return true;
            }
        } catch (UnreadableMessage e) {
            // The status is all there is.
        }
        return false;
    }

    /// Reads events until the answer or the end of the stream.
    ///
    /// @return true if the answer came
    boolean readEvents(SseReader events) throws IOException {
        for (SseEvent event = events.next(); event != null; event = events.next()) {
            if (event.data().isEmpty())
                continue;
            try {
                RpcMessage message = channel.codec().read(event.data().getBytes(StandardCharsets.UTF_8));
                receiver.received(message);
                if (isAnswer(message))
                    return true;
            } catch (UnreadableMessage e) {
                receiver.unreadable(e.error().message());
            }
        }
        return false;
    }

    private boolean isAnswer(RpcMessage message) {
        return switch (message) {
            case RpcMessage.Result result -> result.id().equals(id);
            case RpcMessage.Failure failure -> id.equals(failure.id());
            case RpcMessage.Request request -> false;
            case RpcMessage.Notification notification -> false;
        };
    }

    /// The body of these is a proxy's as often as the server's.
    private static boolean isRefusedByStatus(int status) {
        return status == 401 || status == 403 || status == 429;
    }

    private void readBody(HttpResponse<?> response, byte[] body) {
        try {
            RpcMessage message = channel.codec().read(body);
            switch (message) {
                case RpcMessage.Result result when response.statusCode() < FIRST_ERROR && result.id().equals(id) ->
                    receiver.received(result);
                case RpcMessage.Failure(RpcId other, RpcError error) -> receiver.received(
                        new RpcMessage.Failure(id, error));
                default -> receiver.unanswered(id, withoutAnswer(response, body));
            }
        } catch (UnreadableMessage e) {
            receiver.unanswered(id, withoutAnswer(response, body));
        }
    }

    private static NoAnswer withoutAnswer(HttpResponse<?> response, byte[] body) {
        NoAnswer.Rejected rejected = HttpChannel.rejected(response, body);
        if (response.statusCode() < FIRST_REDIRECT)
            return new NoAnswer.Unreadable("a response without an answer to the request: " + rejected.reason());
        return rejected;
    }
}
