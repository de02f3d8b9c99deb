package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Extension and MCP server behind a tool of source mcp.
///
/// @param serverName absent if the extension names none
public record McpSource(String extensionName, @Nullable String serverName) {
    /// Checks that the extension is named.
    public McpSource {
        requireNonNull(extensionName, "extensionName");
    }
}
