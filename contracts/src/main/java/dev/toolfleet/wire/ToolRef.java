package dev.toolfleet.wire;

import static java.util.Objects.requireNonNull;

/// Reference to a Tool's export in a bundle. A catalog item carries it, so that a worker finds the handler by
/// declaration and not by the bare name.
///
/// @param bundle the bundle that declares the Tool
/// @param tool the Tool's `metadata.name`
/// @param export the export's name
public record ToolRef(String bundle, String tool, String export) {
    /// Checks that the declaration can be found.
    public ToolRef {
        requireNonNull(bundle, "bundle");
        requireNonNull(tool, "tool");
        requireNonNull(export, "export");
    }
}
