package dev.toolfleet.worker.registry;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import dev.toolfleet.bundle.BuiltIns;
import dev.toolfleet.bundle.ExtensionUse;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Ref;
import dev.toolfleet.loading.LoadedModule;
import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.loading.ModuleLoader;
import dev.toolfleet.middleware.ExtensionModule;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolSource;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Loads the extensions that the fleet and its agents list, each use of one by itself, and puts their layers in order:
/// the fleet's outside, then the agent's; within each, ascending priority is outer and equal ones keep their order. A use
/// that did not change keeps its module. An extension of the agent runtime (JavaScript, TypeScript) is passed over.
final class ExtensionLayers {
    private static final Logger LOG = LoggerFactory.getLogger(ExtensionLayers.class);

    private final List<String> fleetExtensions;
    private final ModuleLoader loader;
    private final Publishers publishers;

    /// @param fleetExtensions names of Extensions around every call, in order
    /// @param publishers opens where extensions publish tools
    ExtensionLayers(List<String> fleetExtensions, ModuleLoader loader, Publishers publishers) {
        this.fleetExtensions = fleetExtensions;
        this.loader = loader;
        this.publishers = publishers;
    }

    /// The extensions that are listed now, reusing those of `before`. Call [LoadedExtensions#closeUnused] on `before` once
    /// nobody finds it any more.
    LoadedExtensions load(FleetResources resources, LoadedExtensions before) {
        Building building = new Building(before);
        Map<String, Layers> layers = new HashMap<>();
        layers.put("", building.layers(resources, "", "", List.of()));
        for (BundleResources bundle : resources.bundles().values()) {
            bundle.agents().forEach((name, agent) -> {
                if (!layers.containsKey(name))
                    layers.put(name, building.layers(resources, bundle.name(), name, agent.extensions()));
            });
        }
        return new LoadedExtensions(building.uses, layers, building.problems);
    }

    private static Optional<ResourceRecord> anywhere(FleetResources resources, String name) {
        return resources.bundles().values().stream().flatMap(bundle -> bundle.find(Kinds.EXTENSION, name).stream())
                .findFirst();
    }

    private static Optional<ResourceRecord> resolve(FleetResources resources, String owner, Ref ref) {
        String named = ref.packageName();
        if (named != null) {
            String bundle = BuiltIns.PACKAGES.contains(named) ? FleetResources.BUILT_IN : named;
            return resources.bundle(bundle).flatMap(found -> found.find(Kinds.EXTENSION, ref.name()));
        }
        return resources.bundle(owner).flatMap(found -> found.find(Kinds.EXTENSION, ref.name()))
                .or(() -> resources.bundle(FleetResources.BUILT_IN)
                        .flatMap(found -> found.find(Kinds.EXTENSION, ref.name())));
    }

    /// The extensions while they are collected.
    private final class Building {
        private final LoadedExtensions before;
        private final Map<String, LoadedExtension> uses = new HashMap<>();
        private final Map<String, String> problems = new HashMap<>();
        private final Map<String, String> failed = new HashMap<>();

        Building(LoadedExtensions before) {
            this.before = before;
        }

        Layers layers(FleetResources resources, String bundle, String agent, List<ExtensionUse> listed) {
            List<Layer> ordered = new ArrayList<>();
            List<LoadedModule<ExtensionModule>> modules = new ArrayList<>();
            List<Layer> group = new ArrayList<>();
            for (String name : fleetExtensions) {
                add("fleet/" + name, "fleet/" + name,
                        () -> new RegistrationOwner(ToolSource.EXTENSION, "", "", name, ""), anywhere(resources, name),
                        JsonNodeFactory.instance.objectNode(), group, modules);
            }
            endGroup(group, ordered);
            for (int i = 0; i < listed.size(); i++) {
                ExtensionUse use = listed.get(i);
                String name = use.ref().name();
                add(bundle + "/" + agent + "/" + i + "/" + name, bundle + "/" + name,
                        () -> RegistrationOwner.extension(bundle, agent, name), resolve(resources, bundle, use.ref()),
                        use.config(), group, modules);
            }
            endGroup(group, ordered);
            return new Layers(ordered, modules);
        }

        private void add(String where, String called, Supplier<RegistrationOwner> owner,
                Optional<ResourceRecord> found, ObjectNode overlay, List<Layer> group,
                List<LoadedModule<ExtensionModule>> modules) {
            String known = failed.get(where);
            if (known != null) {
                refuse(called, known, group);
                return;
            }
            try {
                LoadedExtension.Source source = LoadedExtension.Source.of(owner.get(), found.orElseThrow(
                        () -> new ModuleLoadException("no Extension of that name is applied")), overlay);
                if (source.isOfTheAgentRuntime())
                    return;
                LoadedExtension use = use(where, source);
                modules.add(use.module());
                group.addAll(use.layers());
            } catch (Throwable e) {
                failed.put(where, ModuleLoadException.reason(e));
                refuse(called, ModuleLoadException.reason(e), group);
            }
        }

        /// One that stands for the whole fleet is loaded once, whatever the number of agents.
        private LoadedExtension use(String where, LoadedExtension.Source source) {
            LoadedExtension use = uses.getOrDefault(where, before.uses().get(where));
            if (use == null || !use.source().equals(source))
                use = LoadedExtension.load(source, loader, publishers);
            uses.put(where, use);
            return use;
        }

        /// Calls do not go around an extension that is missing: it may be there to stop them.
        private void refuse(String where, String why, List<Layer> group) {
            if (!why.equals(problems.put(where, why)) && !why.equals(before.problems().get(where))) {
                LOG.atError().addKeyValue("extension", where).addKeyValue(LogKeys.REASON, why)
                        .log("extension cannot be loaded, calls that it wraps are refused");
            }
            group.add(new Layer(where, Integer.MIN_VALUE, (ctx, next) -> {
                throw new IllegalStateException("extension '" + where + "' is not loaded: " + why);
            }));
        }

        private static void endGroup(List<Layer> group, List<Layer> ordered) {
            group.sort(Comparator.comparingInt(Layer::priority));
            ordered.addAll(group);
            group.clear();
        }
    }
}
