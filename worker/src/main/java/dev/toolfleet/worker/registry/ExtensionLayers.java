package dev.toolfleet.worker.registry;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bundle.ExtensionSpec;
import dev.toolfleet.bundle.ExtensionUse;
import dev.toolfleet.loading.ListedExtension;
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
            Around around = new Around();
            for (ListedExtension each : ListedExtension.ofFleet(resources, fleetExtensions))
                add(each.where(), "", "", each, around);
            around.endGroup();
            List<ListedExtension> own = ListedExtension.of(resources, bundle, listed);
            for (int i = 0; i < own.size(); i++)
                add(bundle + "/" + agent + "/" + i, bundle, agent, own.get(i), around);
            around.endGroup();
            return new Layers(around.ordered, around.modules);
        }

        /// @param place who lists it, and where in the list
        private void add(String place, String bundle, String agent, ListedExtension listed, Around around) {
            String known = failed.get(place);
            if (known != null) {
                refuse(listed.where(), known, around);
                return;
            }
            try {
                ResourceRecord record = listed.record();
                RegistrationOwner owner = new RegistrationOwner(ToolSource.EXTENSION, bundle, agent,
                        ExtensionSpec.of(record.resource()).name(), "");
                LoadedExtension.Source source = LoadedExtension.Source.of(owner, record, listed.overlay());
                if (source.isOfTheAgentRuntime())
                    return;
                LoadedExtension use = use(place, source);
                around.modules.add(use.module());
                around.group.addAll(use.layers());
            } catch (Throwable e) {
                failed.put(place, ModuleLoadException.reason(e));
                refuse(listed.where(), ModuleLoadException.reason(e), around);
            }
        }

        /// One that stands for the whole fleet is loaded once, whatever the number of agents.
        private LoadedExtension use(String place, LoadedExtension.Source source) {
            LoadedExtension use = uses.getOrDefault(place, before.uses().get(place));
            if (use == null || !use.source().equals(source))
                use = LoadedExtension.load(source, loader, publishers);
            uses.put(place, use);
            return use;
        }

        /// Calls do not go around an extension that is missing: it may be there to stop them.
        private void refuse(String where, String why, Around around) {
            if (!why.equals(problems.put(where, why)) && !why.equals(before.problems().get(where))) {
                LOG.atError().addKeyValue("extension", where).addKeyValue(LogKeys.REASON, why)
                        .log("extension cannot be loaded, calls that it wraps are refused");
            }
            around.group.add(new Layer(where, Integer.MIN_VALUE, (ctx, next) -> {
                throw new IllegalStateException("extension '" + where + "' is not loaded: " + why);
            }));
        }
    }

    /// The layers around one agent's calls while they are collected.
    private static final class Around {
        private final List<Layer> ordered = new ArrayList<>();
        private final List<Layer> group = new ArrayList<>();
        private final List<LoadedModule<ExtensionModule>> modules = new ArrayList<>();

        void endGroup() {
            group.sort(Comparator.comparingInt(Layer::priority));
            ordered.addAll(group);
            group.clear();
        }
    }
}
