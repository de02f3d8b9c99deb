package dev.toolfleet.catalog.middleware;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

import dev.toolfleet.bundle.AgentSpec;
import dev.toolfleet.catalog.builtin.RequiredTools;
import dev.toolfleet.catalog.telemetry.CatalogLogKeys;
import dev.toolfleet.loading.ListedExtension;
import dev.toolfleet.loading.LoadedModule;
import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.StepMiddleware.OnFailure;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/// Layers of every agent's steps under the present resources: the code of the Extensions that agents list.
///
/// **Threads.** One thread reloads, that of [ReloadLoop]. Steps read one immutable snapshot, which is replaced as a
/// whole. An unchanged extension keeps its module; a replaced one is closed after the last step that uses it.
public final class StepExtensions {
    private static final Logger LOG = LoggerFactory.getLogger(StepExtensions.class);

    /// Ascending priority is outer; required tools are outermost.
    private static final Comparator<StepLayer> OUTERMOST_FIRST = Comparator.comparingInt(StepLayer::priority)
            .thenComparing(layer -> !(layer.middleware() instanceof RequiredTools.Layer));

    /// The time limit of a module's construction and registration.
    private static final Duration LOAD_LIMIT = Duration.ofSeconds(20);

    private final ModuleLoader loader;
    private final LayerThreads threads;
    private final LayerThreads loads;
    private Map<LoadedSteps.Source, LoadedSteps> loaded = Map.of();
    private volatile Snapshot snapshot = new Snapshot(FleetResources.EMPTY, Map.of(), Set.of(), Map.of());

    private record Snapshot(FleetResources resources, Map<String, StepLayers> layers, Set<String> rememberedTools,
            Map<String, String> problems) {}

    /// The resources of one moment and an agent's layers under them, kept open until this is closed.
    public record Acquired(FleetResources resources, StepLayers layers) implements AutoCloseable {
        @Override
        public void close() {
            layers.release();
        }
    }

    /// Makes an instance without loaded extensions.
    public StepExtensions(ModuleLoader loader) {
        this(loader, new LayerThreads(), new LayerThreads(LOAD_LIMIT));
    }

    /// @param threads of layers and memories; closed with this
    /// @param loads threads that construct modules and let them register; closed with this
    StepExtensions(ModuleLoader loader, LayerThreads threads, LayerThreads loads) {
        this.loader = loader;
        this.threads = threads;
        this.loads = loads;
    }

    /// Threads that run the extensions' code.
    public LayerThreads threads() {
        return threads;
    }

    /// Applies the resources. Never throws because of an extension.
    public void reload(FleetResources resources) {
        Snapshot now = snapshot;
        if (resources.bundles().equals(now.resources().bundles())) {
            // Registrations or their leases changed, but no bundle.
            snapshot = new Snapshot(resources, now.layers(), now.rememberedTools(), now.problems());
            return;
        }
        load(resources, Map.of());
    }

    /// Loads again the extensions that could not be loaded, for example because a file was missing. The others stay.
    void retry() {
        Map<String, String> before = problems();
        load(snapshot.resources(), before);
        Map<String, String> now = problems();
        before.keySet().stream().filter(extension -> !now.containsKey(extension)).forEach(extension -> LOG.atInfo()
                .addKeyValue(CatalogLogKeys.EXTENSION, extension).log("extension loaded after a retry"));
    }

    /// @param told the problems that are already logged, by extension
    private void load(FleetResources resources, Map<String, String> told) {
        Map<LoadedSteps.Source, LoadedSteps> fresh = new HashMap<>();
        Map<String, String> problems = new TreeMap<>();
        Map<String, StepLayers> layers = new HashMap<>();
        for (BundleResources bundle : resources.bundles().values()) {
            bundle.agents().forEach((name, agent) -> layers.computeIfAbsent(name,
                    agentName -> new Building(resources, bundle.name(), agent, fresh, problems, told).layers()));
        }
        Set<String> remembered = layers.values().stream().flatMap(agent -> agent.memories().stream())
                .map(StepLayers.Memory::tool).collect(Collectors.toUnmodifiableSet());
        Map<LoadedSteps.Source, LoadedSteps> before = loaded;
        loaded = fresh;
        snapshot = new Snapshot(resources, Map.copyOf(layers), remembered, problems);
        before.forEach((source, gone) -> {
            if (!fresh.containsKey(source))
                gone.module().release();
        });
    }

    /// Returns an agent's layers and the resources that go with them.
    public Acquired acquire(String agent) {
        while (true) {
            Snapshot now = snapshot;
            StepLayers layers = now.layers().getOrDefault(agent, StepLayers.NONE);
            // A snapshot that was replaced meanwhile closes its modules: then the new one counts.
            if (layers.acquire())
                return new Acquired(now.resources(), layers);
        }
    }

    /// Returns the full names of the tools whose results some extension remembers.
    public Set<String> rememberedTools() {
        return snapshot.rememberedTools();
    }

    /// Returns the Extensions that could not be loaded, with the reason, by `bundle/Extension`. The catalogs of agents
    /// that list them are empty.
    public Map<String, String> problems() {
        return snapshot.problems();
    }

    /// Closes every module once its steps have been answered.
    public void close() {
        reload(FleetResources.EMPTY);
        threads.close();
        loads.close();
    }

    /// Loads an extension on a thread of its own. A load that does not return is a problem like one that throws; a
    /// module that it makes later is closed. Otherwise: the thread that reads `tool.resource` waits for it, and no
    /// service of the fleet sees another revision.
    private LoadedSteps load(LoadedSteps.Source source, String where) throws Throwable {
        AtomicReference<@Nullable LoadedSteps> made = new AtomicReference<>();
        loads.run(where, StepLayers.NONE, turn -> {
            LoadedSteps steps = LoadedSteps.load(source, loader);
            try {
                turn.forTheStep(() -> made.set(steps));
            } catch (LeftBehindException e) {
                steps.module().release();
            }
        });
        return requireNonNull(made.get(), where);
    }

    /// The layers of one agent while they are collected.
    private final class Building {
        private final FleetResources resources;
        private final String bundle;
        private final AgentSpec agent;
        private final Map<LoadedSteps.Source, LoadedSteps> fresh;
        private final Map<String, String> problems;
        private final Map<String, String> told;
        private final List<StepLayer> missing = new ArrayList<>();
        private final List<StepLayer> layers = new ArrayList<>();
        private final List<StepLayers.Memory> memories = new ArrayList<>();
        private final List<LoadedModule<ExtensionModule>> modules = new ArrayList<>();

        Building(FleetResources resources, String bundle, AgentSpec agent,
                Map<LoadedSteps.Source, LoadedSteps> fresh, Map<String, String> problems,
                Map<String, String> told) {
            this.resources = resources;
            this.bundle = bundle;
            this.agent = agent;
            this.fresh = fresh;
            this.problems = problems;
            this.told = told;
        }

        StepLayers layers() {
            if (!agent.requiredTools().isEmpty())
                layers.add(new StepLayer(RequiredTools.NAME, RequiredTools.PRIORITY, OnFailure.CLOSE,
                        new RequiredTools.Layer(List.of())));
            List<ListedExtension> listed = ListedExtension.of(resources, bundle, agent.extensions());
            for (int place = 0; place < listed.size(); place++)
                add(place, listed.get(place));
            layers.sort(OUTERMOST_FIRST);
            layers.addAll(0, missing);
            return new StepLayers(layers, memories, modules);
        }

        private void add(int place, ListedExtension extension) {
            try {
                LoadedSteps.Source source = LoadedSteps.Source.of(agent.name(), place, extension);
                if (source.isOfTheAgentRuntime())
                    return;
                LoadedSteps kept = loaded.get(source);
                LoadedSteps steps = kept != null ? kept : load(source, extension.where());
                fresh.put(source, steps);
                layers.addAll(steps.layers());
                memories.addAll(steps.memories());
                modules.add(steps.module());
            } catch (Throwable e) {
                String why = e instanceof LeftBehindException
                        ? "its registration does not return: " + e.getMessage()
                        : ModuleLoadException.reason(e);
                problems.put(extension.where(), why);
                if (!why.equals(told.get(extension.where()))) {
                    LOG.atError().addKeyValue(CatalogLogKeys.AGENT, agent.name())
                            .addKeyValue(CatalogLogKeys.EXTENSION, extension.where())
                            .addKeyValue(CatalogLogKeys.REASON, why)
                            .log("extension not loaded: steps of this agent show no tools");
                }
                missing.add(StepLayer.missing(extension.where(), why));
            }
        }
    }
}
