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

    /// Where the extension publishes tools of its own, now or later. Asked twice, it is the same.
    default ToolPublisher tools() {
        return ToolPublisher.NOWHERE;
    }

    /// Where the extension publishes the tools of an MCP server that it is connected to. When names clash, these come
    /// after all that extensions publish as their own.
    ///
    /// @param server the server's name; has no `/`
    default ToolPublisher mcpTools(String server) {
        return ToolPublisher.NOWHERE;
    }
}
