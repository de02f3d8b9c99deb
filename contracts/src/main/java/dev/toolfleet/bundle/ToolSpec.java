package dev.toolfleet.bundle;

import java.util.List;
import java.util.Optional;

import tools.jackson.databind.node.ObjectNode;

/// A Tool: one module of code and the exports that a model may call.
///
/// @param name the resource's name, the first part of every full name
/// @param entry as written; see [#entryKind()]
/// @param errorMessageLimit UTF-16 units of an error message that a caller gets to see
/// @param runtime `process` for an executable; older bundles also say `node`
/// @param naming how a model calls its exports
public record ToolSpec(String name, String entry, int errorMessageLimit, Optional<String> runtime, ToolNaming naming,
        List<ToolExport> exports) {
    /// Of a Tool that sets none.
    public static final int DEFAULT_ERROR_MESSAGE_LIMIT = 1000;

    /// Reads a resource of kind `Tool`.
    ///
    /// @throws InvalidResourceException when it is none, or a field has the wrong shape
    public static ToolSpec of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, Kinds.TOOL);
        return new ToolSpec(ResourceJson.name(resource), spec.get("entry").text(),
                spec.get("errorMessageLimit").positive(DEFAULT_ERROR_MESSAGE_LIMIT), spec.get("runtime").optionalText(),
                ToolNaming.of(resource), spec.get("exports").list(ToolExport::of));
    }

    /// How its code is reached.
    public EntryKind entryKind() {
        return EntryKind.parse(entry);
    }

    /// Whether workers run it; catalogs leave out what they do not.
    public boolean runnable() {
        return entryKind().runnable();
    }

    /// The name by which a model calls one of its exports.
    ///
    /// @throws IllegalArgumentException when the Tool's or the export's name cannot be part of a full name
    public String fullName(ToolExport export) {
        return naming.fullName(name, export.name());
    }

    /// Why a model could not call the export by its full name, as a clause that follows a name; empty when it can.
    public Optional<String> nameProblem(ToolExport export) {
        return naming.problem(name, export.name());
    }
}
