package dev.toolfleet.worker.registry;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.SchemaProblem;
import dev.toolfleet.bundle.ToolExport;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.loading.LoadedModule;
import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.tool.Authorized;
import dev.toolfleet.tool.TokenAnswer;
import dev.toolfleet.tool.TokenSource;
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.wire.ResourceRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Modules of one revision's Tools. A Tool that did not change between revisions keeps its module. Immutable, except
/// for the state of each load. Thread-safe.
final class ToolModules {
    static final ToolModules NONE = new ToolModules(Map.of());

    /// Input of a module: if it is equal, the module may stay.
    private record Source(ObjectNode resource, Map<String, String> files) {}

    private record Loaded(LoadedModule<ToolModule> module, Map<String, RegisteredTool> exports) {}

    private record Slot(Source source, ModuleLoad<Loaded> load) {}

    /// Makes the loads of modules.
    ///
    /// @param changed runs after each change of one
    record Maker(ModuleLoader loader, ModuleThreads threads, Runnable changed) {}

    private final Map<String, Slot> byTool;

    private ToolModules(Map<String, Slot> byTool) {
        this.byTool = Map.copyOf(byTool);
    }

    /// Returns the modules of `bundle`, those of `earlier` where nothing changed. None is loaded before [#begin].
    static ToolModules of(BundleResources bundle, List<ToolModules> earlier, Maker maker) {
        Map<String, Slot> slots = new HashMap<>();
        bundle.tools().forEach((name, spec) -> {
            if (!spec.runnable())
                return;
            ResourceRecord record = bundle.find(Kinds.TOOL, name).orElseThrow();
            Source source = new Source(record.resource(), record.files());
            slots.put(name, earlier.stream().map(modules -> modules.byTool.get(name))
                    .filter(slot -> slot != null && slot.source().equals(source) && slot.load().isReusable())
                    .findFirst().orElseGet(() -> new Slot(source, load(bundle.name(), spec, source, maker))));
        });
        return new ToolModules(slots);
    }

    private static ModuleLoad<Loaded> load(String bundle, ToolSpec spec, Source source, Maker maker) {
        String name = bundle + "/" + spec.name();
        return new ModuleLoad<>(name, () -> load(name, bundle, spec, source, maker),
                loaded -> loaded.module().release(), maker.threads(), maker.changed());
    }

    private static Loaded load(String name, String bundle, ToolSpec spec, Source source, Maker maker) {
        ToolModule module = maker.loader().tool(bundle, spec, source.files());
        LoadedModule<ToolModule> loaded = new LoadedModule<>(name, module,
                close -> maker.threads().close(name, close));
        try {
            ObjectNode config = source.resource().path("spec").path("config") instanceof ObjectNode given
                    ? given.deepCopy()
                    : JsonNodeFactory.instance.objectNode();
            module.configure(maker.loader().bounded(spec.name(), spec.entryKind(), config));
            if (module instanceof Authorized authorized)
                authorized.tokens(tokens(bundle, spec, maker));
            return new Loaded(loaded, exports(spec, module.handlers(), loaded));
        } catch (Throwable e) {
            loaded.release();
            throw e;
        }
    }

    /// A Tool without `auth` loads without the fleet's OAuth key, too.
    private static TokenSource tokens(String bundle, ToolSpec spec, Maker maker) {
        if (spec.exports().stream().anyMatch(export -> export.auth().isPresent()))
            return maker.loader().tokens(bundle, spec);
        return (context, minTtl, scopes) -> new TokenAnswer.Failed("oauthAppNotFound",
                "Tool/" + spec.name() + " declares no auth; name its OAuthApp in spec.auth.oauthAppRef");
    }

    private static Map<String, RegisteredTool> exports(ToolSpec spec, Map<String, ToolHandler> handlers,
            LoadedModule<ToolModule> loaded) {
        Map<String, RegisteredTool> exports = new HashMap<>();
        for (ToolExport export : spec.exports()) {
            ToolHandler handler = handlers.get(export.name());
            if (handler == null) {
                throw new ModuleLoadException("Tool/" + spec.name() + " declares the export '" + export.name()
                        + "', but its module has handlers for " + handlers.keySet() + " only");
            }
            SchemaProblem.of(export.parameters()).ifPresent(problem -> {
                throw new ModuleLoadException("Tool/" + spec.name() + ", export '" + export.name()
                        + "', parameters: " + problem);
            });
            exports.put(export.name(), new RegisteredTool(export, spec.errorMessageLimit(), handler,
                    loaded.module(), loaded));
        }
        return exports;
    }

    /// Begins to load the modules that are not loaded, including failed ones.
    void begin() {
        byTool.values().forEach(slot -> slot.load().begin());
    }

    /// True if each module has loaded or failed.
    boolean areSettled() {
        return byTool.values().stream().allMatch(slot -> slot.load().isSettled());
    }

    @Nullable
    RegisteredTool find(String tool, String export) {
        Slot slot = byTool.get(tool);
        Loaded loaded = slot == null ? null : slot.load().module();
        return loaded == null ? null : loaded.exports().get(export);
    }

    /// Returns the reason for each Tool that is not loaded.
    Map<String, String> problems() {
        Map<String, String> problems = new TreeMap<>();
        byTool.forEach((tool, slot) -> {
            String problem = slot.load().problem();
            if (problem != null)
                problems.put(tool, problem);
        });
        return problems;
    }

    /// Drops every module that none of `kept` has.
    void dropUnless(Collection<ToolModules> kept) {
        byTool.forEach((name, slot) -> {
            if (kept.stream().noneMatch(modules -> slot.equals(modules.byTool.get(name))))
                slot.load().drop();
        });
    }
}
