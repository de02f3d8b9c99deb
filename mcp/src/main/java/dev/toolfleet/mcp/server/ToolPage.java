package dev.toolfleet.mcp.server;

import java.time.Duration;
import java.util.List;

import dev.toolfleet.mcp.protocol.ToolDefinition;
import org.jspecify.annotations.Nullable;

/// Page of the list of tools.
///
/// @param tools the tools, in an order that does not change while they do not
/// @param nextCursor where the next page begins; null for the last one
/// @param timeToLive the time for which a client may keep it
/// @param isPublic true if all callers get the same page
public record ToolPage(List<ToolDefinition> tools, @Nullable String nextCursor, Duration timeToLive,
        boolean isPublic) {
    /// Copies the list.
    public ToolPage {
        tools = List.copyOf(tools);
    }
}
