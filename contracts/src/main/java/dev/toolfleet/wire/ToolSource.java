package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Declarer of a tool or resource.
///
/// @param type config (a bundle), extension or mcp; operator for tools that operators have switched off
/// @param name the Tool's, extension's or server's name, or the operator's
/// @param mcp the extension and the server, for type mcp; absent for any other, and when the writer left it out
public record ToolSource(String type, String name, @Nullable McpSource mcp) {
    /// Checks that the source is named.
    public ToolSource {
        requireNonNull(type, "type");
        requireNonNull(name, "name");
    }

    /// Makes a source with a name only.
    public ToolSource(String type, String name) {
        this(type, name, null);
    }

    /// Makes the source of an MCP server's tools, which an extension publishes.
    public static ToolSource mcp(String extension, String server) {
        return new ToolSource(MCP, server, new McpSource(extension, server));
    }

    /// A declaration in a bundle.
    public static final String CONFIG = "config";
    /// Published by an extension while it runs.
    public static final String EXTENSION = "extension";
    /// Published by an extension for an MCP server.
    public static final String MCP = "mcp";
    /// Written by an operator; declares no tool.
    public static final String OPERATOR = "operator";
}
