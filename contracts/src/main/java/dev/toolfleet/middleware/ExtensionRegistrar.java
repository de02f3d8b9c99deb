package dev.toolfleet.middleware;

import dev.toolfleet.middleware.StepMiddleware.OnFailure;

/// Takes an extension's layers. Each process takes those that it runs and ignores the others. A worker takes the layers
/// around calls and the published tools; a catalog service takes the layers and memories of steps.
public interface ExtensionRegistrar {
    /// Adds a layer around tool calls.
    ///
    /// @param priority ascending is outer; layers of equal priority keep the order in which they came
    void toolCall(int priority, ToolCallMiddleware middleware);

    /// True if this process runs tool calls, as workers do and catalog services do not. Start things that only calls
    /// need, such as servers or connections, only if it is true.
    default boolean runsTools() {
        return false;
    }

    /// Adds a layer of priority 0.
    default void toolCall(ToolCallMiddleware middleware) {
        toolCall(0, middleware);
    }

    /// Returns the publisher of the extension's own tools, for use now or later. Every call returns the same one.
    default ToolPublisher tools() {
        return ToolPublisher.NOWHERE;
    }

    /// Returns the publisher of the tools of an MCP server to which the extension is connected. When names clash,
    /// extensions' own tools take precedence over these.
    ///
    /// @param server the server's name; has no `/`
    default ToolPublisher mcpTools(String server) {
        return ToolPublisher.NOWHERE;
    }

    /// Adds a layer around the making of a step's catalog.
    ///
    /// @param priority ascending is outer; layers of equal priority keep the order in which they came
    /// @param onFailure the rule for the list of tools when the layer throws
    default void step(int priority, OnFailure onFailure, StepMiddleware middleware) {}

    /// Adds a layer that hides all tools it was given when it fails.
    default void step(int priority, StepMiddleware middleware) {
        step(priority, OnFailure.CLOSE, middleware);
    }

    /// Adds such a layer of priority 0.
    default void step(StepMiddleware middleware) {
        step(0, middleware);
    }

    /// Adds a memory of a tool's results, for [StepContext#remembered]. It stays as long as the instance's newest step
    /// does.
    ///
    /// @param toolName the tool's full name, such as `tool-search__search`
    default void remember(String toolName, StepMemory memory) {}
}
