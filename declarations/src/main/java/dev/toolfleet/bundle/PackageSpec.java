package dev.toolfleet.bundle;

import java.util.List;
import java.util.Optional;

import tools.jackson.databind.node.ObjectNode;

/// The Package of a bundle: its name and the packages that it builds on.
public record PackageSpec(String name, Optional<String> version, List<Dependency> dependencies) {
    /// Another package, by name and version range.
    public record Dependency(String name, Optional<String> version) {}

    /// Reads a resource of kind `Package`.
    ///
    /// @throws InvalidResourceException when it is no Package, or a field has the wrong shape
    public static PackageSpec of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, Kinds.PACKAGE);
        return new PackageSpec(ResourceJson.name(resource), spec.get("version").optionalText(),
                spec.get("dependencies").list(item -> new Dependency(item.get("name").text(),
                        item.get("version").optionalText())));
    }
}
