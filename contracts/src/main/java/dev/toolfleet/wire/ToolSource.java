package dev.toolfleet.wire;

/// Who declares a tool or resource.
///
/// @param type
///            config (a bundle), extension or mcp
/// @param name
///            the Tool's, extension's or server's name
public record ToolSource(String type, String name) {
    /// A declaration in a bundle.
    public static final String CONFIG = "config";
}
