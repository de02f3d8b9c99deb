package dev.toolfleet.mcp.client;

import java.util.Map;

import dev.toolfleet.mcp.rpc.McpJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Call of a tool, as a program wants it.
///
/// @param name the tool's name
/// @param arguments its arguments
/// @param allowTask true if the answer may be a task
/// @param meta fields for `_meta`
/// @param headers headers for transports that have some
/// @param answers answers to the questions of the attempt before; null for none
/// @param state the state that came with these questions; null for none
public record ToolRequest(String name, ObjectNode arguments, boolean allowTask, ObjectNode meta,
        Map<String, String> headers, @Nullable ObjectNode answers, @Nullable String state) {
    /// Copies the headers.
    public ToolRequest {
        headers = Map.copyOf(headers);
    }

    /// A call that no task answers, without further fields.
    public static ToolRequest of(String name, ObjectNode arguments) {
        return new ToolRequest(name, arguments, false, McpJson.object(), Map.of(), null, null);
    }

    /// Returns the same call, which a task may answer.
    public ToolRequest allowingTask() {
        return new ToolRequest(name, arguments, true, meta, headers, answers, state);
    }

    /// Returns the same call with other fields for `_meta` and other headers.
    public ToolRequest with(ObjectNode otherMeta, Map<String, String> otherHeaders) {
        return new ToolRequest(name, arguments, allowTask, otherMeta, otherHeaders, answers, state);
    }

    /// Returns the same call with answers to questions ([ServerOutcome.Input]).
    public ToolRequest answering(ObjectNode given, @Nullable String itsState) {
        return new ToolRequest(name, arguments, allowTask, meta, headers, given, itsState);
    }
}
