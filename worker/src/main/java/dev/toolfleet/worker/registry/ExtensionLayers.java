package dev.toolfleet.worker.registry;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bundle.EntryKind;
import dev.toolfleet.bundle.ExtensionSpec;
import dev.toolfleet.bundle.ExtensionUse;
import dev.toolfleet.loading.ListedExtension;
import dev.toolfleet.loading.LoadedModule;
import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.middleware.ExtensionRegistrar;
import dev.toolfleet.middleware.ToolCallMiddleware;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Loads the extensions that the fleet and its agents list, and puts their layers in order: the fleet's outside, then
/// the agent's; within each, ascending priority is outer and equal ones keep their order. An extension of the agent
/// runtime (JavaScript, TypeScript) is passed over.
final class ExtensionLayers {
    private static final Logger LOG = LoggerFactory.getLogger(ExtensionLayers.class);

    private final List<String> fleetExtensions;
    private final ModuleLoader loader;

    /// @param fleetExtensions names of Extensions around every call, in order
    ExtensionLayers(List<String> fleetExtensions, ModuleLoader loader) {
        this.fleetExtensions = fleetExtensions;
        this.loader = loader;
    }

    /// The layers of every agent, and under the empty name those of calls that name none.
    ///
    /// @param problems takes what could not be loaded and why
    Map<String, Layers> load(FleetResources resources, Map<String, String> problems) {
        Map<String, Layers> layers = new HashMap<>();
        layers.put("", build(resources, "", List.of(), problems));
        for (BundleResources bundle : resources.bundles().values()) {
            bundle.agents().forEach((name, agent) -> {
                if (!layers.containsKey(name))
                    layers.put(name, build(resources, bundle.name(), agent.extensions(), problems));
            });
        }
        return layers;
    }

    private Layers build(FleetResources resources, String bundle, List<ExtensionUse> uses,
            Map<String, String> problems) {
        Building building = new Building(loader, problems);
        ListedExtension.ofFleet(resources, fleetExtensions).forEach(building::add);
        building.endGroup();
        ListedExtension.of(resources, bundle, uses).forEach(building::add);
        building.endGroup();
        return new Layers(building.ordered, building.modules);
    }

    /// The layers of one agent while they are collected.
    private static final class Building {
        private final ModuleLoader loader;
        private final Map<String, String> problems;
        private final List<Layer> ordered = new ArrayList<>();
        private final List<Layer> group = new ArrayList<>();
        private final List<LoadedModule<ExtensionModule>> modules = new ArrayList<>();

        Building(ModuleLoader loader, Map<String, String> problems) {
            this.loader = loader;
            this.problems = problems;
        }

        void add(ListedExtension listed) {
            List<Layer> registered = new ArrayList<>();
            try {
                ResourceRecord record = listed.record();
                ExtensionSpec spec = ExtensionSpec.of(record.resource());
                if (spec.entryKind() instanceof EntryKind.Script)
                    return;
                ExtensionModule module = loader.extension(record.bundle(), spec.entryKind(), record.files());
                modules.add(new LoadedModule<>(spec.name(), module));
                module.register(registrar(spec.name(), registered), listed.config(spec));
                // All of them or, when it threw, none.
                group.addAll(registered);
            } catch (Throwable e) {
                refuse(listed.where(), ModuleLoadException.reason(e));
            }
        }

        /// Calls do not go around an extension that is missing: it may be there to stop them.
        private void refuse(String where, String why) {
            problems.put(where, why);
            LOG.atError().addKeyValue("extension", where).addKeyValue(LogKeys.REASON, why)
                    .log("extension cannot be loaded, calls that it wraps are refused");
            group.add(new Layer(where, Integer.MIN_VALUE, (ctx, next) -> {
                throw new IllegalStateException("extension '" + where + "' is not loaded: " + why);
            }));
        }

        private static ExtensionRegistrar registrar(String extension, List<Layer> layers) {
            return (int priority, ToolCallMiddleware middleware) -> layers
                    .add(new Layer(extension, priority, middleware));
        }

        void endGroup() {
            group.sort(Comparator.comparingInt(Layer::priority));
            ordered.addAll(group);
            group.clear();
        }
    }
}
