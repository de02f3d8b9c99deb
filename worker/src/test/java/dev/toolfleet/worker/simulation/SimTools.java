package dev.toolfleet.worker.simulation;

import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.tool.Reconciliation;
import dev.toolfleet.tool.ToolContext;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.tool.ToolOutput;
import dev.toolfleet.wire.InstanceLabel;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.registry.ToolRegistry;
import dev.toolfleet.worker.simulation.SimCall.Kind;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// The tools of all simulated workers, one for each kind, as a registry has them. What they do is up to the world whose
/// call runs on their thread.
final class SimTools implements ToolModule, ModuleLoader {
    static final ToolRegistry REGISTRY = registry();
    /// The call that runs on this thread.
    static final ThreadLocal<SimHandler> RUNNING = new ThreadLocal<>();

    private static ToolRegistry registry() {
        ToolRegistry registry = new ToolRegistry(new SimTools(), List.of(), InstantSource.system(), () -> {});
        new TestResources().apply(registry, "simulation",
                EnumSet.allOf(Kind.class).stream().map(SimTools::tool).toArray(ObjectNode[]::new));
        return registry;
    }

    private static ObjectNode tool(Kind kind) {
        ObjectNode tool = TestResources.tool(kind.name().toLowerCase(Locale.ROOT), SimTools.class, "x");
        ObjectNode export = TestResources.export(tool, "x").put("requiresApproval", kind.asks()).put("cost",
                SimBudget.cost(kind));
        export.putArray("adds").add(InstanceLabel.UNTRUSTED);
        export.putObject("annotations")
                .put("readOnly", kind == Kind.READ)
                .put("idempotent", kind == Kind.REPEAT || kind == Kind.ASK || kind == Kind.SHOW);
        return tool;
    }

    @Override
    public ToolModule tool(String bundle, ToolSpec spec, Map<String, String> files) {
        return this;
    }

    @Override
    public ExtensionModule extension(String bundle, EntryKind entry, Map<String, String> files) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, ToolHandler> handlers() {
        return Map.of("x", (context, input) -> ToolOutput.of(requireNonNull(RUNNING.get()).run(context)));
    }

    @Override
    public Reconciliation reconcile(String export, ToolContext context, ObjectNode input) {
        return requireNonNull(RUNNING.get()).reconcile(context);
    }
}
