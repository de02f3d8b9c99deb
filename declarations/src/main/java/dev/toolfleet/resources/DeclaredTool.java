package dev.toolfleet.resources;

import java.util.Map;
import java.util.Optional;

import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.wire.ToolSource;

/// Tool and the bundle that declares it.
///
/// @param bundle the bundle's name, or the namespace of a [RegistrationOwner]
/// @param revision of that bundle
/// @param files digests of the files that it needs, by their path in the bundle
/// @param source the declarer, as in catalogs
public record DeclaredTool(String bundle, long revision, ToolSpec spec, Map<String, String> files, ToolSource source) {
    /// Its export of that name.
    public Optional<ToolExport> export(String name) {
        // For each call: a stream would cost more than the search.
        for (ToolExport export : spec.exports()) {
            if (export.name().equals(name))
                return Optional.of(export);
        }
        return Optional.empty();
    }
}
