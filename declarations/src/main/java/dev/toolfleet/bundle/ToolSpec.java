package dev.toolfleet.bundle;

import java.util.List;
import java.util.Optional;

import tools.jackson.databind.node.ObjectNode;

/// Tool of a bundle: one module of code and the exports that a model may call.
///
/// @param name the resource's name, the first part of every full name
/// @param entry as written; see [#entryKind()]
/// @param errorMessageLimit the longest error message for a caller, in UTF-16 units
/// @param runtime `process` for an executable; older bundles also have `node`
/// @param isolation the calls with which a host process is shared; means nothing to Java
/// @param network true if code in a host may use the worker's network; means nothing to Java
/// @param naming the rule for its exports' names
public record ToolSpec(String name, String entry, int errorMessageLimit, Optional<String> runtime,
        HostIsolation isolation, boolean network, ToolNaming naming, List<ToolExport> exports) {
    /// The default of `errorMessageLimit`.
    public static final int DEFAULT_ERROR_MESSAGE_LIMIT = 1000;

    /// Reads a resource of kind `Tool`.
    ///
    /// @throws InvalidResourceException when it is no Tool, or a field has the wrong shape
    public static ToolSpec of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, Kinds.TOOL);
        return new ToolSpec(ResourceJson.name(resource), spec.get("entry").text(),
                spec.get("errorMessageLimit").positive(DEFAULT_ERROR_MESSAGE_LIMIT), spec.get("runtime").optionalText(),
                spec.get("isolation").choice(HostIsolation.class).orElse(HostIsolation.BUNDLE),
                !spec.get("network").present() || spec.get("network").flag(), ToolNaming.of(resource),
                exports(spec));
    }

    private static List<ToolExport> exports(ResourceJson spec) {
        Optional<ToolAuth> auth = ToolAuth.of(spec.get("auth"));
        return spec.get("exports").list(json -> ToolExport.of(json, auth));
    }

    /// Returns the kind of its entry.
    public EntryKind entryKind() {
        return EntryKind.parse(entry);
    }

    /// True if workers run it; catalogs leave out other Tools.
    public boolean runnable() {
        return entryKind().runnable();
    }

    /// Returns the name by which a model calls one of its exports.
    ///
    /// @throws IllegalArgumentException when the Tool's or the export's name cannot be part of a full name
    public String fullName(ToolExport export) {
        return naming.fullName(name, export.name());
    }

    /// Returns the problem of the export's full name, as a clause that follows a name; empty for none.
    public Optional<String> nameProblem(ToolExport export) {
        return naming.problem(name, export.name());
    }
}
