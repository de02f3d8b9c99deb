package dev.toolfleet.worker.registry;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.bundle.PromptInclusion;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.GroupInclusion;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Everything that this worker can run: follows `tool.resource`, loads the code of each bundle's active revision, and
/// finds the handlers of registered tools in the extensions that it has loaded.
///
/// The follower's thread writes; calls read one immutable snapshot, which is replaced whole.
public final class ToolRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(ToolRegistry.class);
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);

    /// What calls see.
    private record Snapshot(FleetResources resources, Map<String, ToolModules> modules, LoadedExtensions extensions,
            Map<String, Map<String, CatalogTool>> byAgent, Set<String> readOnly) {
        static Snapshot of(FleetResources resources, Map<String, ToolModules> modules, LoadedExtensions extensions) {
            return new Snapshot(resources, Map.copyOf(modules), extensions, catalogs(resources),
                    readOnlyNames(resources));
        }

        /// With leases that were renewed, and nothing else.
        Snapshot renewed(FleetResources now) {
            return new Snapshot(now, modules, extensions, byAgent, readOnly);
        }

        boolean troubled() {
            return !extensions.problems().isEmpty()
                    || modules.values().stream().anyMatch(each -> !each.problems().isEmpty());
        }
    }

    private final ModuleLoader loader;
    private final ExtensionLayers extensions;
    private final Publishers publishers;
    private final InstantSource clock;
    private final Runnable changed;
    private final ResourceTable table = new ResourceTable();
    private volatile Snapshot snapshot = Snapshot.of(FleetResources.EMPTY, Map.of(), LoadedExtensions.NONE);

    /// A registry that is empty until it is applied records.
    ///
    /// @param fleetExtensions names of the Extensions around every call, in order
    /// @param clock judges leases
    /// @param changed told after each change, also of what extensions publish: from any thread
    public ToolRegistry(ModuleLoader loader, List<String> fleetExtensions, InstantSource clock, Runnable changed) {
        this.loader = loader;
        this.clock = clock;
        this.changed = changed;
        this.publishers = new Publishers(clock, changed);
        this.extensions = new ExtensionLayers(fleetExtensions, loader, publishers);
    }

    /// Takes the next record of `tool.resource`; null for a tombstone.
    @SuppressWarnings("ReferenceEquality") // A view that was not replaced is the same object.
    public void apply(String key, byte @Nullable [] value) {
        Optional<String> shown = table.apply(key, value == null ? null : CODEC.read(value));
        if (shown.isEmpty()) {
            if (table.view() != snapshot.resources())
                snapshot = snapshot.renewed(table.view());
        } else if (RegistrationOwner.isNamespace(shown.get())) {
            snapshot = Snapshot.of(table.view(), snapshot.modules(), snapshot.extensions());
            changed.run();
        } else {
            reload(Set.of(shown.get()));
            LOG.atInfo().addKeyValue(LogKeys.BUNDLE, shown.get())
                    .addKeyValue(LogKeys.REVISION, revision(shown.get())).log("bundle loaded");
        }
    }

    /// Loads again what could not be loaded, for example because its file was missing. For the thread that applies.
    public void retry() {
        if (isTroubled())
            reload(snapshot.resources().bundles().keySet());
    }

    /// Whether something could not be loaded.
    public boolean isTroubled() {
        return snapshot.troubled();
    }

    /// What did not change stays as it is.
    private void reload(Set<String> bundles) {
        Snapshot before = snapshot;
        FleetResources resources = table.view();
        Map<String, ToolModules> modules = new HashMap<>(before.modules());
        for (String bundle : bundles) {
            modules.put(bundle, resources.bundle(bundle)
                    .map(found -> ToolModules.load(found, modules.getOrDefault(bundle, ToolModules.NONE), loader))
                    .orElse(ToolModules.NONE));
        }
        LoadedExtensions loaded = extensions.load(resources, before.extensions());
        snapshot = Snapshot.of(resources, modules, loaded);
        bundles.forEach(bundle -> before.modules().getOrDefault(bundle, ToolModules.NONE)
                .closeUnused(modules.getOrDefault(bundle, ToolModules.NONE)));
        before.extensions().closeUnused(loaded);
        changed.run();
    }

    /// What each agent has, without the groups that are in no catalog.
    private static Map<String, Map<String, CatalogTool>> catalogs(FleetResources resources) {
        Map<String, Map<String, CatalogTool>> byAgent = new HashMap<>();
        for (BundleResources bundle : resources.bundles().values()) {
            for (String agent : bundle.agents().keySet()) {
                Map<String, CatalogTool> tools = new HashMap<>();
                AgentTools all = AgentTools.of(resources, agent);
                for (ToolCatalogItem item : all.items()) {
                    if (GroupInclusion.of(resources, all.bundle(), item) != PromptInclusion.NEVER)
                        tools.put(item.name(), new CatalogTool(item));
                }
                byAgent.put(agent, tools);
            }
        }
        return byAgent;
    }

    /// The names that everybody who declares them declares as read-only.
    private static Set<String> readOnlyNames(FleetResources resources) {
        Map<String, Boolean> names = new HashMap<>();
        Stream.concat(resources.bundles().values().stream().flatMap(bundle -> bundle.tools().values().stream()),
                resources.registrations().values().stream().flatMap(each -> each.tools().values().stream()))
                .forEach(tool -> tool.exports().stream().filter(export -> tool.nameProblem(export).isEmpty())
                        .forEach(export -> names.merge(tool.fullName(export), export.annotations().readOnly(),
                                Boolean::logicalAnd)));
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
        RegisteredTool tool = find(ref);
        while (tool != null && !tool.acquire())
            tool = find(ref);
        return tool;
    }

    private @Nullable RegisteredTool find(ToolRef ref) {
        Snapshot now = snapshot;
        if (RegistrationOwner.isNamespace(ref.bundle()))
            return now.resources().tool(ref).map(declared -> publishers.find(ref, declared)).orElse(null);
        ToolModules held = now.modules().get(ref.bundle());
        return held == null ? null : held.find(ref.tool(), ref.export());
    }

    /// The same, not kept open, so that its code must not be run; null when it is not loaded.
    public @Nullable RegisteredTool current(ToolRef ref) {
        return find(ref);
    }

    /// Whether this worker has the code of a declared export.
    public boolean runs(ToolRef ref) {
        return find(ref) != null;
    }

    /// How the declaration of a tool stands, by this worker's clock.
    public Standing standing(ToolRef ref) {
        return Standing.of(snapshot.resources(), ref, clock.instant());
    }

    /// What the extensions of this worker offer now, whether it is declared or not.
    public List<OfferedTools> offered() {
        return publishers.offered();
    }

    /// Grows with each change of what they offer, after it can be seen.
    public long offerChanges() {
        return publishers.changes();
    }

    /// The tool that an Agent lists under this name, itself or by an extension, and that may be shown: one of a
    /// group that is `never` shown is not among them, one whose lease has lapsed is.
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
        Map<String, Layers> layers = snapshot.extensions().layers();
        Layers own = agent == null ? null : layers.get(agent);
        return own != null ? own : layers.getOrDefault("", Layers.NONE);
    }

    /// What is declared and cannot be run here, and why: by `bundle/Tool`, `bundle/Extension`, or a registered tool's
    /// namespace and name.
    public Map<String, String> problems() {
        Snapshot now = snapshot;
        Map<String, String> problems = new TreeMap<>(now.extensions().problems());
        now.modules().forEach((bundle, modules) -> modules.problems()
                .forEach((tool, why) -> problems.put(bundle + "/" + tool, why)));
        now.resources().live(clock.instant()).registrations().values()
                .forEach(registration -> problems.putAll(publishers.missing(registration)));
        return problems;
    }

    /// Why this worker has no code for a declared export; null when nothing is known of it.
    public @Nullable String whyMissing(ToolRef ref) {
        String name = RegistrationOwner.isNamespace(ref.bundle()) ? ref.tool() + "__" + ref.export() : ref.tool();
        return problems().get(ref.bundle() + "/" + name);
    }

    /// What extensions published and nobody is shown, and why, by namespace and name.
    public Map<String, String> leftOut() {
        return publishers.leftOut();
    }

    private List<ToolRef> refs(String name) {
        FleetResources now = resources().live(clock.instant());
        return Stream.concat(now.bundles().values().stream().flatMap(bundle -> bundle.called(name).stream()),
                now.registrations().values().stream().flatMap(each -> each.called(name).stream())).toList();
    }

    /// Closes every module once its calls have ended.
    public void close() {
        Snapshot last = snapshot;
        snapshot = new Snapshot(last.resources(), Map.of(), LoadedExtensions.NONE, last.byAgent(), last.readOnly());
        last.extensions().closeUnused(LoadedExtensions.NONE);
        last.modules().values().forEach(modules -> modules.closeUnused(ToolModules.NONE));
    }
}
