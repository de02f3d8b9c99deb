package dev.toolfleet.worker.registry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Everything that this worker can run: follows `tool.resource` and loads the code of each bundle's active revision.
///
/// The follower's thread writes; calls read one immutable snapshot, which is replaced whole.
public final class ToolRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(ToolRegistry.class);
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);

    /// What calls see.
    private record Snapshot(FleetResources resources, Map<String, ToolModules> modules,
            Map<String, Map<String, CatalogTool>> byAgent, Set<String> readOnly, Map<String, Layers> layers,
            Map<String, String> extensionProblems) {
        @Nullable
        RegisteredTool find(ToolRef ref) {
            ToolModules held = modules.get(ref.bundle());
            return held == null ? null : held.find(ref.tool(), ref.export());
        }
    }

    private final ModuleLoader loader;
    private final ExtensionLayers extensions;
    private final Runnable changed;
    private final ResourceTable table = new ResourceTable();
    private volatile Snapshot snapshot = new Snapshot(FleetResources.EMPTY, Map.of(), Map.of(), Set.of(), Map.of(),
            Map.of());

    /// A registry that is empty until it is applied records.
    ///
    /// @param fleetExtensions names of the Extensions around every call, in order
    /// @param changed told after each change
    public ToolRegistry(ModuleLoader loader, List<String> fleetExtensions, Runnable changed) {
        this.loader = loader;
        this.extensions = new ExtensionLayers(fleetExtensions, loader);
        this.changed = changed;
    }

    /// Takes the next record of `tool.resource`; null for a tombstone.
    public void apply(String key, byte @Nullable [] value) {
        table.apply(key, value == null ? null : CODEC.read(value)).ifPresent(this::reload);
    }

    private void reload(String bundle) {
        Snapshot before = snapshot;
        FleetResources resources = table.view();
        Map<String, ToolModules> modules = new HashMap<>(before.modules());
        ToolModules old = modules.getOrDefault(bundle, ToolModules.NONE);
        ToolModules fresh = resources.bundle(bundle).map(found -> ToolModules.load(found, old, loader))
                .orElse(ToolModules.NONE);
        modules.put(bundle, fresh);
        Map<String, String> problems = new HashMap<>();
        Map<String, Layers> layers = extensions.load(resources, problems);
        snapshot = new Snapshot(resources, Map.copyOf(modules), catalogs(resources), readOnlyNames(resources), layers,
                problems);
        old.closeUnused(fresh);
        before.layers().values().forEach(Layers::release);
        LOG.atInfo().addKeyValue(LogKeys.BUNDLE, bundle).addKeyValue(LogKeys.REVISION, revision(bundle))
                .log("bundle loaded");
        changed.run();
    }

    private static Map<String, Map<String, CatalogTool>> catalogs(FleetResources resources) {
        Map<String, Map<String, CatalogTool>> byAgent = new HashMap<>();
        for (BundleResources bundle : resources.bundles().values()) {
            for (String agent : bundle.agents().keySet()) {
                Map<String, CatalogTool> tools = new HashMap<>();
                for (ToolCatalogItem item : AgentTools.items(resources, agent)) {
                    tools.put(item.name(), new CatalogTool(item));
                }
                byAgent.put(agent, tools);
            }
        }
        return byAgent;
    }

    /// The names that every bundle that declares them declares as read-only.
    private static Set<String> readOnlyNames(FleetResources resources) {
        Map<String, Boolean> names = new HashMap<>();
        resources.bundles().values().forEach(bundle -> bundle.tools().values().forEach(tool -> tool.exports().stream()
                .filter(export -> tool.nameProblem(export).isEmpty())
                .forEach(export -> names.merge(tool.fullName(export), export.annotations().readOnly(),
                        Boolean::logicalAnd))));
        return names.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /// What the bundles declare.
    public FleetResources resources() {
        return snapshot.resources();
    }

    /// The revision of a bundle that is loaded; 0 for none.
    public long revision(String bundle) {
        return snapshot.resources().bundle(bundle).map(BundleResources::revision).orElse(0L);
    }

    /// The code of a declared export, kept open until it is released; null when it is not loaded.
    public @Nullable RegisteredTool acquire(ToolRef ref) {
        // A revision that is replaced in between closes its modules: then the new one counts.
        RegisteredTool tool = snapshot.find(ref);
        while (tool != null && !tool.acquire())
            tool = snapshot.find(ref);
        return tool;
    }

    /// The tool that an Agent's `spec.tools` lists under this name.
    public @Nullable CatalogTool listedBy(String agent, String name) {
        return snapshot.byAgent().getOrDefault(agent, Map.of()).get(name);
    }

    /// The first registered tool of this name, by the names of bundles.
    public @Nullable CatalogTool named(String name) {
        return refs(name).stream().map(ref -> item(ref, name)).filter(item -> item != null).findFirst().orElse(null);
    }

    private @Nullable CatalogTool item(ToolRef ref, String name) {
        return resources().tool(ref).flatMap(tool -> tool.export(ref.export())
                .map(export -> new CatalogTool(AgentTools.item(tool, export, name)))).orElse(null);
    }

    /// Whether every declared tool of this name is read-only, so that its calls may run beside each other.
    public boolean readOnly(String name) {
        return snapshot.readOnly().contains(name);
    }

    /// The layers around the calls of an agent, kept open until they are released.
    ///
    /// @param agent null for a call that names none
    public Layers acquireLayers(@Nullable String agent) {
        Layers layers = layers(agent);
        while (!layers.acquire())
            layers = layers(agent);
        return layers;
    }

    private Layers layers(@Nullable String agent) {
        Map<String, Layers> layers = snapshot.layers();
        Layers own = agent == null ? null : layers.get(agent);
        return own != null ? own : layers.getOrDefault("", Layers.NONE);
    }

    /// What could not be loaded and why, by `bundle/Tool` or `bundle/Extension`.
    public Map<String, String> problems() {
        Map<String, String> problems = new TreeMap<>(snapshot.extensionProblems());
        snapshot.modules().forEach((bundle, modules) -> modules.problems()
                .forEach((tool, why) -> problems.put(bundle + "/" + tool, why)));
        return problems;
    }

    private List<ToolRef> refs(String name) {
        return resources().bundles().values().stream().flatMap(bundle -> bundle.called(name).stream()).toList();
    }

    /// Closes every module once its calls have ended.
    public void close() {
        Snapshot last = snapshot;
        snapshot = new Snapshot(last.resources(), Map.of(), last.byAgent(), last.readOnly(), Map.of(), Map.of());
        last.layers().values().forEach(Layers::release);
        last.modules().values().forEach(modules -> modules.closeUnused(ToolModules.NONE));
    }
}
