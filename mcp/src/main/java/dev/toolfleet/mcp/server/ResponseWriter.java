package dev.toolfleet.mcp.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

import dev.toolfleet.mcp.rpc.RpcCodec;
import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.mcp.rpc.RpcMessage;
import dev.toolfleet.mcp.rpc.SseEvent;
import org.jspecify.annotations.Nullable;

/// Writer of responses: JSON for an answer that comes soon, else a stream of events with notifications, beats and the
/// answer.
///
/// **Threads.** The thread of the request.
final class ResponseWriter {
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final String EVENTS = "text/event-stream";
    private static final byte[] BEAT = ": alive\n\n".getBytes(StandardCharsets.UTF_8);

    private final RpcCodec codec;
    private final ServerSettings settings;

    ResponseWriter(RpcCodec codec, ServerSettings settings) {
        this.codec = codec;
        this.settings = settings;
    }

    /// Writes the response of a request.
    ///
    /// @param modern true if a status states the kind of an error
    /// @return false if the client has gone, or this thread was interrupted
    boolean write(WebExchange exchange, RequestControl control, boolean modern) {
        try {
            RpcMessage first = acceptsEvents(exchange)
                    ? control.box().take(settings.patience())
                    : control.box().await();
            if (first == null || first instanceof RpcMessage.Notification)
                return stream(exchange, control, first);
            exchange.respond(modern ? status(first) : OK, Map.of(), codec.write(first));
            return true;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Writes a stream until the client has gone.
    void stream(WebExchange exchange, RequestControl control) {
        try {
            stream(exchange, control, null);
        } catch (IOException e) {
            // The client has gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean stream(WebExchange exchange, RequestControl control, @Nullable RpcMessage first)
            throws IOException, InterruptedException {
        OutputStream out = exchange.stream(Map.of("X-Accel-Buffering", "no"));
        RpcMessage message = first;
        long lastMessage = System.nanoTime();
        while (true) {
            if (message != null) {
                out.write(SseEvent.text(new String(codec.write(message), StandardCharsets.UTF_8))
                        .getBytes(StandardCharsets.UTF_8));
                lastMessage = System.nanoTime();
            } else {
                out.write(BEAT);
            }
            out.flush();
            if (message instanceof RpcMessage.Result || message instanceof RpcMessage.Failure)
                return true;
            message = control.box().take(settings.beat());
            Duration silence = Duration.ofNanos(System.nanoTime() - lastMessage);
            if (message == null && control.wantsProgress() && silence.compareTo(settings.tick()) >= 0)
                control.tick();
        }
    }

    /// A missing header counts as one that accepts everything.
    static boolean acceptsEvents(WebExchange exchange) {
        String accept = exchange.header("Accept");
        return accept == null || accept.contains(EVENTS) || accept.contains("*/*") || accept.contains("text/*");
    }

    /// Errors of the request itself have a status; those that a tool or the service gives do not, for proxies send again
    /// what ended with 5xx.
    private static int status(RpcMessage answer) {
        if (!(answer instanceof RpcMessage.Failure failure))
            return OK;
        return switch (failure.error().code()) {
            case RpcError.METHOD_NOT_FOUND -> NOT_FOUND;
            case RpcError.HEADER_MISMATCH, RpcError.MISSING_CAPABILITY, RpcError.UNSUPPORTED_VERSION -> BAD_REQUEST;
            default -> OK;
        };
    }
}
