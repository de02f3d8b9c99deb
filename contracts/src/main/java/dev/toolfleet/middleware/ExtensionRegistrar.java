package dev.toolfleet.middleware;

/// Takes an extension's layers.
public interface ExtensionRegistrar {
    /// Adds a layer around tool calls.
    ///
    /// @param priority ascending is outer; layers of equal priority keep the order in which they came
    void toolCall(int priority, ToolCallMiddleware middleware);

    /// Adds a layer of priority 0.
    default void toolCall(ToolCallMiddleware middleware) {
        toolCall(0, middleware);
    }
}
