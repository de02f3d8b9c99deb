package dev.toolfleet.mcp.client;

import java.time.Duration;
import java.util.List;

import dev.toolfleet.mcp.protocol.ToolDefinition;
import org.jspecify.annotations.Nullable;

/// Tools of a server.
///
/// @param tools the tools, in the server's order
/// @param rejected the entries that are no usable tool
/// @param timeToLive the time for which the list may be kept; null if the server does not state one
public record ToolList(List<ToolDefinition> tools, List<RejectedTool> rejected, @Nullable Duration timeToLive) {
    /// Entry that is no usable tool.
    ///
    /// @param name its name, as far as it has one
    /// @param reason the rule that it breaks
    public record RejectedTool(String name, String reason) {}

    /// Copies the lists.
    public ToolList {
        tools = List.copyOf(tools);
        rejected = List.copyOf(rejected);
    }
}
