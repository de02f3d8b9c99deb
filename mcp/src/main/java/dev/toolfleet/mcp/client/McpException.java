package dev.toolfleet.mcp.client;

import java.util.Optional;

import dev.toolfleet.mcp.rpc.RpcError;
import dev.toolfleet.mcp.transport.NoAnswer;
import org.jspecify.annotations.Nullable;

/// Thrown when a request other than a tool's call fails, or no conversation comes about.
public final class McpException extends Exception {
    private final transient @Nullable Reply reply;

    McpException(String message, @Nullable Reply reply) {
        super(message);
        this.reply = reply;
    }

    static McpException of(String method, Reply reply) {
        return new McpException(method + ": " + reply.text(), reply);
    }

    /// Returns the server's error, if it answered with one.
    public Optional<RpcError> error() {
        return reply instanceof Reply.Failure(RpcError error) ? Optional.of(error) : Optional.empty();
    }

    /// Returns the HTTP refusal, if there was one. Its header `www-authenticate` has the way to a token.
    public Optional<NoAnswer.Rejected> rejection() {
        return reply instanceof Reply.None(var cause, NoAnswer.Rejected rejected)
                ? Optional.of(rejected)
                : Optional.empty();
    }

    /// True if the request did not reach the server.
    public boolean isNotSent() {
        return reply instanceof Reply.None(var cause, NoAnswer.NotSent reason);
    }
}
