package dev.toolfleet.client;

import dev.toolfleet.wire.ToolResult;

/// Receives the results of an instance, one after the other, on a virtual thread of its own, so that it may block.
@FunctionalInterface
public interface ResultListener {
    /// One result, pending, final or replayed. An exception is logged and the next result comes all the same.
    void onResult(ToolResult result);

    /// The last thing that the listener hears: the client was closed, or the listener was too slow and is left behind.
    /// Not called when the subscription itself was closed.
    default void onEnd(ToolFleetClientException reason) {}
}
