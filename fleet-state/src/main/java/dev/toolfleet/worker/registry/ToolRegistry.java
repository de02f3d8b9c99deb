package dev.toolfleet.worker.registry;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.BundleTrust;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.Registration;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.WireCodec;
import org.jspecify.annotations.Nullable;

/// Registry of everything that this worker can run: follows `tool.resource`, loads the code of each bundle's active
/// revision, and finds the handlers of registered tools in the extensions that it has loaded.
///
/// **Contract.** Calls read one immutable view, in which declarations and code belong together ([BundleLoads]). A tool
/// that is missing while its bundle is being loaded is not gone: [#awaitTool] and the other `await` methods wait for
/// it.
public final class ToolRegistry {
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);

    private final Publishers publishers;
    private final InstantSource clock;
    private final BundleLoads loads;

    /// Creates a registry that is empty until records are applied.
    ///
    /// @param fleetExtensions names of the Extensions around every call, in order
    /// @param clock judges leases
    /// @param changed run after each change, including those that extensions publish, on any thread
    public ToolRegistry(ModuleLoader loader, List<String> fleetExtensions, InstantSource clock, Runnable changed) {
        this(loader, BundleTrust.ALL, fleetExtensions, clock, changed);
    }

    /// Creates a registry that is empty until records are applied.
    ///
    /// @param trust decides which bundles count
    /// @param fleetExtensions names of the Extensions around every call, in order
    /// @param clock judges leases
    /// @param changed run after each change, including those that extensions publish, on any thread
    public ToolRegistry(ModuleLoader loader, BundleTrust trust, List<String> fleetExtensions, InstantSource clock,
            Runnable changed) {
        this(loader, trust, fleetExtensions, clock, changed, new ModuleThreads());
    }

    ToolRegistry(ModuleLoader loader, List<String> fleetExtensions, InstantSource clock, Runnable changed,
            ModuleThreads threads) {
        this(loader, BundleTrust.ALL, fleetExtensions, clock, changed, threads);
    }

    private ToolRegistry(ModuleLoader loader, BundleTrust trust, List<String> fleetExtensions, InstantSource clock,
            Runnable changed, ModuleThreads threads) {
        this.clock = clock;
        this.publishers = new Publishers(loader::tokens, clock, changed);
        this.loads = new BundleLoads(trust, fleetExtensions, loader, publishers, threads, changed);
    }

    /// Takes the next record of `tool.resource`; null for a tombstone. Returns at once: modules are loaded on other
    /// threads.
    public void apply(String key, byte @Nullable [] value) {
        loads.apply(key, value == null ? null : CODEC.read(value));
    }

    /// Begins to load failed modules again, for example one whose file was missing. Returns at once.
    public void retry() {
        loads.retry();
    }

    /// True if a module could not be loaded.
    public boolean isTroubled() {
        return view().isTroubled();
    }

    /// True if a bundle has a revision that is being loaded.
    public boolean isLoading(String bundle) {
        return view().loading().contains(bundle);
    }

    /// Waits until no bundle is being loaded, for the limit of a load at most.
    public void awaitLoaded() throws InterruptedException {
        loads.await(() -> view().loading().isEmpty());
    }

    /// Waits until a bundle is not being loaded any more, for the limit of a load at most.
    public void awaitLoaded(String bundle) throws InterruptedException {
        loads.await(() -> !isLoading(bundle));
    }

    /// Waits for a tool that this worker does not run yet because its bundle is being loaded, for the limit of a load
    /// at most.
    ///
    /// @param wanted true while the caller waits
    public void awaitTool(ToolRef ref, BooleanSupplier wanted) throws InterruptedException {
        loads.await(() -> runs(ref) || !isLoading(ref) || !wanted.getAsBoolean());
    }

    private boolean isLoading(ToolRef ref) {
        Registration registration = view().declared().registrations().get(ref.bundle());
        return isLoading(registration == null ? ref.bundle() : registration.owner().bundle());
    }

    /// Waits in the same way for a tool that is known only by its name.
    public void awaitNamed(String name, BooleanSupplier wanted) throws InterruptedException {
        loads.await(() -> refs(name).stream().anyMatch(this::runs) || !isComing(name) || !wanted.getAsBoolean());
    }

    private boolean isComing(String name) {
        RegistryView now = view();
        return now.loading().stream().flatMap(bundle -> now.declared().bundle(bundle).stream())
                .anyMatch(bundle -> bundle.called(name).isPresent());
    }

    private RegistryView view() {
        return loads.view();
    }

    /// Returns the resources of all bundles, in the revisions that are in use.
    public FleetResources resources() {
        return view().resources();
    }

    /// Returns the resources of all bundles, in their newest revisions, which may still be loading.
    public FleetResources declared() {
        return view().declared();
    }

    /// Returns the revision of a bundle that is in use; 0 for none.
    public long revision(String bundle) {
        return view().resources().bundle(bundle).map(BundleResources::revision).orElse(0L);
    }

    /// Returns the code of a declared export, kept open until it is released; null if it is not loaded.
    public @Nullable RegisteredTool acquire(ToolRef ref) {
        // A revision that is replaced in between closes its modules: then the new one counts.
        RegisteredTool tool = find(ref);
        while (tool != null && !tool.acquire())
            tool = find(ref);
        return tool;
    }

    private @Nullable RegisteredTool find(ToolRef ref) {
        RegistryView now = view();
        if (RegistrationOwner.isNamespace(ref.bundle()))
            return now.resources().tool(ref).map(declared -> publishers.find(ref, declared)).orElse(null);
        ToolModules held = now.modules().get(ref.bundle());
        return held == null ? null : held.find(ref.tool(), ref.export());
    }

    /// Returns the code of a declared export, not kept open, so that it must not be run; null if it is not loaded.
    public @Nullable RegisteredTool current(ToolRef ref) {
        return find(ref);
    }

    /// True if this worker has the code of a declared export.
    public boolean runs(ToolRef ref) {
        return find(ref) != null;
    }

    /// Returns the state of a tool's declaration, by this worker's clock.
    public DeclarationState standing(ToolRef ref) {
        return DeclarationState.of(view().resources(), ref, clock.instant());
    }

    /// Returns the present offers of this worker's extensions, declared or not.
    public List<OfferedTools> offered() {
        return publishers.offered();
    }

    /// Returns a number that grows with each change of these offers, after the change is visible.
    public long offerChanges() {
        return publishers.changes();
    }

    /// Returns the tool that an Agent lists under this name, itself or by an extension, if a catalog may show it. A
    /// tool of a group that is `never` shown does not count; one whose lease has lapsed does.
    public @Nullable CatalogTool listedBy(String agent, String name) {
        return view().byAgent().getOrDefault(agent, Map.of()).get(name);
    }

    /// Returns the first registered tool of this name, by the names of bundles.
    public @Nullable CatalogTool named(String name) {
        return refs(name).stream().map(ref -> item(ref, name)).filter(item -> item != null).findFirst().orElse(null);
    }

    private @Nullable CatalogTool item(ToolRef ref, String name) {
        return resources().tool(ref).flatMap(tool -> tool.export(ref.export())
                .map(export -> new CatalogTool(AgentTools.item(tool, export, name)))).orElse(null);
    }

    /// True if every declared tool of this name is read-only, so that its calls may run side by side.
    public boolean readOnly(String name) {
        return view().readOnly().contains(name);
    }

    /// Returns the layers around the calls of an agent, kept open until they are released.
    ///
    /// @param agent null for a call that names none
    public Layers acquireLayers(@Nullable String agent) {
        Layers layers = layers(agent);
        while (!layers.acquire())
            layers = layers(agent);
        return layers;
    }

    private Layers layers(@Nullable String agent) {
        Map<String, Layers> layers = view().layers().byAgent();
        Layers own = agent == null ? null : layers.get(agent);
        return own != null ? own : layers.getOrDefault("", Layers.NONE);
    }

    /// Returns the declared modules that cannot be run here, with the reason: by `bundle/Tool`, `bundle/Extension`, a
    /// registered tool's namespace and name, or the name of a refused bundle.
    public Map<String, String> problems() {
        RegistryView now = view();
        Map<String, String> problems = new TreeMap<>(loads.refused());
        problems.putAll(now.problems());
        now.resources().live(clock.instant()).registrations().values()
                .forEach(registration -> problems.putAll(publishers.missing(registration)));
        return problems;
    }

    /// Number of bundles that are not used in their active revision, because it is refused.
    public int refusedBundles() {
        return loads.refused().size();
    }

    /// Returns the reason why this worker has no code for a declared export; null if none is known.
    public @Nullable String whyMissing(ToolRef ref) {
        String name = RegistrationOwner.isNamespace(ref.bundle()) ? ref.tool() + "__" + ref.export() : ref.tool();
        return problems().get(ref.bundle() + "/" + name);
    }

    /// Returns the tools that extensions published and that are in no catalog, with the reason, by namespace and name.
    public Map<String, String> leftOut() {
        return publishers.leftOut();
    }

    private List<ToolRef> refs(String name) {
        FleetResources now = resources().live(clock.instant());
        return Stream.concat(now.bundles().values().stream().flatMap(bundle -> bundle.called(name).stream()),
                now.registrations().values().stream().flatMap(each -> each.called(name).stream())).toList();
    }

    /// Closes every module once its calls have ended, and ends all waits.
    public void close() {
        loads.close();
    }
}
