package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Who declares a tool or resource.
///
/// @param type config (a bundle), extension or mcp; operator for what operators have switched off
/// @param name the Tool's, extension's or server's name, the operator's
/// @param mcp the extension and the server, for type mcp; absent for any other, and when the writer did not say
public record ToolSource(String type, String name, @Nullable McpSource mcp) {
    /// Checks that the source can be named.
    public ToolSource {
        requireNonNull(type, "type");
        requireNonNull(name, "name");
    }

    /// A source that says no more than its name.
    public ToolSource(String type, String name) {
        this(type, name, null);
    }

    /// The tools of an MCP server, which an extension publishes.
    public static ToolSource mcp(String extension, String server) {
        return new ToolSource(MCP, server, new McpSource(extension, server));
    }

    /// A declaration in a bundle.
    public static final String CONFIG = "config";
    /// Published by an extension while it runs.
    public static final String EXTENSION = "extension";
    /// Published by an extension for an MCP server.
    public static final String MCP = "mcp";
    /// Said by an operator; of no tool.
    public static final String OPERATOR = "operator";
}
