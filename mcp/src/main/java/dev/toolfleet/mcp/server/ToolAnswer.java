package dev.toolfleet.mcp.server;

import dev.toolfleet.mcp.protocol.InputQuestions;
import dev.toolfleet.mcp.protocol.McpReply;
import dev.toolfleet.mcp.protocol.TaskSnapshot;

/// Answer to the call of a tool.
public sealed interface ToolAnswer {
    /// The tool's result, perhaps that it failed.
    record Done(McpReply reply) implements ToolAnswer {}

    /// The call goes on as a task that [ToolService#task] finds from now on, at every replica.
    record Task(TaskSnapshot task) implements ToolAnswer {}

    /// The call needs answers; the client calls again with them.
    record Input(InputQuestions questions) implements ToolAnswer {}
}
