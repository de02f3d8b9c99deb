package dev.toolfleet.middleware;

import dev.toolfleet.middleware.StepMiddleware.OnFailure;

/// Takes an extension's layers. Each process takes those that it runs and ignores the others: a worker the layers
/// around calls and the tools that are published, a catalog service the layers and memories of steps.
public interface ExtensionRegistrar {
    /// Adds a layer around tool calls.
    ///
    /// @param priority ascending is outer; layers of equal priority keep the order in which they came
    void toolCall(int priority, ToolCallMiddleware middleware);

    /// Whether this process runs tool calls, as workers do and catalog services do not. Start what only calls need, such as
    /// servers or connections, only if it does.
    default boolean runsTools() {
        return false;
    }

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

    /// Adds a layer around the making of a step's catalog.
    ///
    /// @param priority ascending is outer; layers of equal priority keep the order in which they came
    /// @param onFailure what becomes of the list of tools when the layer throws
    default void step(int priority, OnFailure onFailure, StepMiddleware middleware) {}

    /// Adds a layer after whose failure nothing is shown of what it was handed.
    default void step(int priority, StepMiddleware middleware) {
        step(priority, OnFailure.CLOSE, middleware);
    }

    /// Adds such a layer of priority 0.
    default void step(StepMiddleware middleware) {
        step(0, middleware);
    }

    /// Remembers something of the results of a tool, for [StepContext#remembered]. It stays as long as the instance's
    /// newest step does.
    ///
    /// @param toolName the tool's full name, such as `tool-search__search`
    default void remember(String toolName, StepMemory memory) {}
}
