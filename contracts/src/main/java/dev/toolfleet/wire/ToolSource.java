package dev.toolfleet.wire;

import static java.util.Objects.requireNonNull;

/// Who declares a tool or resource.
///
/// @param type config (a bundle), extension or mcp; operator for what operators have switched off
/// @param name the Tool's, extension's or server's name, the operator's
public record ToolSource(String type, String name) {
    /// Checks that the source can be named.
    public ToolSource {
        requireNonNull(type, "type");
        requireNonNull(name, "name");
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
