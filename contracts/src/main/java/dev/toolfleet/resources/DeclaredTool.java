package dev.toolfleet.resources;

import java.util.Map;
import java.util.Optional;

import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ToolSpec;

/// A Tool and where it is declared.
///
/// @param revision of that bundle
/// @param files digests of the files that it needs, by their path in the bundle
public record DeclaredTool(String bundle, long revision, ToolSpec spec, Map<String, String> files) {
    /// Its export of that name.
    public Optional<ToolExport> export(String name) {
        return spec.exports().stream().filter(export -> export.name().equals(name)).findFirst();
    }
}
