package dev.toolfleet.mcp.rpc;

import org.jspecify.annotations.Nullable;

/// Thrown for bytes that are no message, with the error that a server answers.
public final class UnreadableMessage extends Exception {
    private final transient RpcError error;
    private final transient @Nullable RpcId id;

    UnreadableMessage(int code, String message, @Nullable RpcId id) {
        super(message);
        this.error = new RpcError(code, message);
        this.id = id;
    }

    /// Returns the error to answer.
    public RpcError error() {
        return error;
    }

    /// Returns the id of the request, or null if it could not be read.
    public @Nullable RpcId id() {
        return id;
    }
}
