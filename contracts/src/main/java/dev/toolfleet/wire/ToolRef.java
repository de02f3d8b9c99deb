package dev.toolfleet.wire;

import static java.util.Objects.requireNonNull;

/// A Tool's export in a bundle: what a catalog item stands for, so that a worker finds the handler by declaration and
/// not by the bare name.
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
