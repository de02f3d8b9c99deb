package dev.toolfleet.worker.registry;

import java.util.HashMap;
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
import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.tool.ToolModule;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The modules of one bundle's Tools. A Tool that did not change between revisions keeps its module. Built on the
/// follower's thread, then immutable.
final class ToolModules {
    private static final Logger LOG = LoggerFactory.getLogger(ToolModules.class);
    static final ToolModules NONE = new ToolModules(Map.of(), Map.of());

    /// What a module depends on: equal means the module may stay.
    private record Source(ObjectNode resource, Map<String, String> files) {}

    private record Loaded(Source source, LoadedModule<ToolModule> module, Map<String, RegisteredTool> exports) {}

    private final Map<String, Loaded> byTool;
    private final Map<String, String> problems;

    private ToolModules(Map<String, Loaded> byTool, Map<String, String> problems) {
        this.byTool = byTool;
        this.problems = problems;
    }

    /// The modules of `bundle`, reusing those of `before`. Call [#closeUnused] on `before` once nobody finds it any
    /// more.
    static ToolModules load(BundleResources bundle, ToolModules before, ModuleLoader loader) {
        Map<String, Loaded> modules = new HashMap<>();
        Map<String, String> problems = new TreeMap<>();
        bundle.tools().forEach((name, spec) -> {
            if (!spec.runnable())
                return;
            ResourceRecord record = bundle.find(Kinds.TOOL, name).orElseThrow();
            Source source = new Source(record.resource(), record.files());
            Loaded kept = before.byTool.get(name);
            try {
                modules.put(name, kept != null && kept.source().equals(source)
                        ? kept
                        : load(bundle.name(), spec, source, loader));
            } catch (Throwable e) {
                // Also an Error of the tool's own code: it breaks this Tool, not the follower (G5).
                problems.put(name, ModuleLoadException.reason(e));
                if (problems.get(name).equals(before.problems.get(name)))
                    return;
                LOG.atError().addKeyValue(LogKeys.BUNDLE, bundle.name()).addKeyValue(LogKeys.TOOL, name)
                        .addKeyValue(LogKeys.REASON, problems.get(name)).log("tool cannot be loaded");
            }
        });
        return new ToolModules(modules, problems);
    }

    private static Loaded load(String bundle, ToolSpec spec, Source source, ModuleLoader loader) {
        ToolModule module = loader.tool(bundle, spec.entryKind(), source.files());
        LoadedModule<ToolModule> loaded = new LoadedModule<>(spec.name(), module);
        try {
            module.configure(source.resource().path("spec").path("config") instanceof ObjectNode config
                    ? config.deepCopy()
                    : JsonNodeFactory.instance.objectNode());
            return new Loaded(source, loaded, exports(spec, module.handlers(), loaded));
        } catch (Throwable e) {
            loaded.release();
            throw e;
        }
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

    @Nullable
    RegisteredTool find(String tool, String export) {
        Loaded loaded = byTool.get(tool);
        return loaded == null ? null : loaded.exports().get(export);
    }

    /// What could not be loaded and why, by Tool.
    Map<String, String> problems() {
        return problems;
    }

    /// Ends the registry's use of every module that `now` no longer has.
    void closeUnused(ToolModules now) {
        byTool.forEach((name, loaded) -> {
            Loaded kept = now.byTool.get(name);
            if (kept == null || kept.module() != loaded.module())
                loaded.module().release();
        });
    }
}
