package dev.toolfleet.bundle;

import tools.jackson.databind.node.ObjectNode;

/// An Extension: middlewares and their configuration.
///
/// @param entry as written; see [#entryKind()]
/// @param config free; an agent's own configuration is laid over it
public record ExtensionSpec(String name, String entry, ObjectNode config) {
    /// Reads a resource of kind `Extension`.
    ///
    /// @throws InvalidResourceException when it is no Extension, or a field has the wrong shape
    public static ExtensionSpec of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, Kinds.EXTENSION);
        return new ExtensionSpec(ResourceJson.name(resource), spec.get("entry").text(), spec.get("config").object());
    }

    /// Returns the kind of its entry.
    public EntryKind entryKind() {
        return EntryKind.parse(entry);
    }
}
