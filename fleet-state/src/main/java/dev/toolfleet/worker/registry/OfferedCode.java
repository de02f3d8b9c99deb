package dev.toolfleet.worker.registry;

import java.util.Map;
import java.util.Optional;

import dev.toolfleet.bundle.ToolName;
import dev.toolfleet.middleware.ToolDeclaration;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;

/// Code of a published tool: its handler, and the module that answers what is asked beside calls.
///
/// @param handler ends every call with an error if the module has none for the export; such code is never offered
/// @param problem the reason why the code cannot be offered; empty for none
record OfferedCode(ToolHandler handler, ToolModule module, Optional<String> problem) {
    /// A handler without other code: it cannot reconcile, poll or cancel.
    static OfferedCode of(ToolDeclaration declaration, ToolHandler handler) {
        String export = export(declaration);
        return new OfferedCode(handler, () -> Map.of(export, handler), Optional.empty());
    }

    /// The export's handler of a module.
    static OfferedCode of(ToolDeclaration declaration, ToolModule module) {
        String export = export(declaration);
        ToolHandler handler = module.handlers().get(export);
        if (handler != null)
            return new OfferedCode(handler, module, Optional.empty());
        String problem = "the module of '" + declaration.name() + "' has no handler for the export '" + export + "'";
        return new OfferedCode((ctx, input) -> {
            throw new IllegalStateException(problem);
        }, module, Optional.of(problem));
    }

    /// The name of a tool that no model can call is refused for that name.
    private static String export(ToolDeclaration declaration) {
        return ToolName.parse(declaration.name()).map(ToolName::export).orElse("");
    }
}
