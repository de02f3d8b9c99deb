package dev.toolfleet.mcp.server;

import dev.toolfleet.mcp.rpc.RpcId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Call of a tool, as a client wants it.
///
/// @param id the id of the request: unique among the requests at work of one client, and no more
/// @param name the tool's name
/// @param arguments its arguments
/// @param task the place of a task among the answers
/// @param answers answers to questions; null for none
/// @param state the state that was given with these questions, to be checked; null for none
public record ToolInvocation(RpcId id, String name, ObjectNode arguments, TaskUse task,
        @Nullable ObjectNode answers, @Nullable String state) {
    /// Place of a task among the answers.
    public enum TaskUse {
        /// The client cannot take one.
        NEVER,
        /// The server may answer with one.
        ALLOWED,
        /// The client wants one.
        WANTED
    }
}
