package dev.toolfleet.cli.demo;

import java.time.Duration;

import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;
import tools.jackson.databind.node.ObjectNode;

/// Event of the demo, in the order in which it is shown.
sealed interface DemoEvent {
    /// A step begins.
    ///
    /// @param number from 1
    /// @param thought what the model wants
    record StepBegins(int number, String thought) implements DemoEvent {}

    /// The step's catalog is published.
    ///
    /// @param tools how many tools the model sees
    record CatalogShown(Duration at, Duration took, int tools, String digest) implements DemoEvent {}

    /// A call was sent.
    record Called(Duration at, ToolCall call) implements DemoEvent {}

    /// A call was posted to the gateway.
    ///
    /// @param key the request's `Idempotency-Key`
    record Posted(Duration at, String key, ToolCall call) implements DemoEvent {}

    /// Work that is pending said how far it is.
    record Progressed(Duration at, ToolProgress progress) implements DemoEvent {}

    /// The following events belong to an earlier step.
    ///
    /// @param number of that step
    /// @param what happens
    record StepGoesOn(int number, String what) implements DemoEvent {}

    /// A result came.
    record Answered(Duration at, Duration took, ToolResult result) implements DemoEvent {}

    /// An MCP client read the list of tools.
    ///
    /// @param tools the number of tools in it
    /// @param revision of the protocol
    record McpListed(Duration at, Duration took, int tools, String revision) implements DemoEvent {}

    /// An MCP client called a tool.
    record McpCalled(Duration at, String tool, ObjectNode args) implements DemoEvent {}

    /// An MCP client got an answer.
    ///
    /// @param text of the answer
    record McpAnswered(Duration at, Duration took, String tool, boolean isError, String text) implements DemoEvent {}
}
