package dev.toolfleet.client;

import dev.toolfleet.wire.ToolResult;

/// Receives the results of an instance, one after the other, on its own virtual thread; it may block.
@FunctionalInterface
public interface ResultListener {
    /// One result, pending, final or replayed. An exception is logged and the next result comes all the same.
    void onResult(ToolResult result);

    /// Called last: the client was closed, or the listener was too slow and gets no more results. Not called when the
    /// subscription itself was closed.
    default void onEnd(ToolFleetClientException reason) {}
}
