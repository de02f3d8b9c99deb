package dev.toolfleet.worker.record;

import java.util.Optional;

import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.registry.CatalogTool;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.registry.ToolRegistry;
import org.jspecify.annotations.Nullable;

/// Finder of the declaration that speaks for a call.
@FunctionalInterface
interface ExportDeclarations {
    /// Returns the export; empty if none is declared.
    Optional<ToolExport> of(CallFacts run);

    /// Finds declarations in a registry: that of the code which ran, else the present one of the call's tool.
    static ExportDeclarations in(ToolRegistry registry) {
        return run -> {
            RegisteredTool ran = run.tool();
            return ran == null ? declared(registry, run) : Optional.of(ran.export());
        };
    }

    /// A call that a layer answered, or whose code is not loaded here, has no tool yet.
    private static Optional<ToolExport> declared(ToolRegistry registry, CallFacts run) {
        ToolRef ref = run.ref();
        if (ref == null) {
            CatalogTool named = named(registry, run);
            if (named == null)
                return Optional.empty();
            ref = named.item().tool();
        }
        String export = ref.export();
        return registry.resources().tool(ref).flatMap(tool -> tool.export(export));
    }

    private static @Nullable CatalogTool named(ToolRegistry registry, CallFacts run) {
        String agent = run.call().arrival().call().agentName();
        String name = run.call().arrival().call().name();
        CatalogTool listed = agent == null ? null : registry.listedBy(agent, name);
        return listed == null ? registry.named(name) : listed;
    }
}
