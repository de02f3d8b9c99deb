package dev.toolfleet.worker.registry;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.bundle.ExtensionSpec;
import dev.toolfleet.bundle.ExtensionUse;
import dev.toolfleet.loading.ListedExtension;
import dev.toolfleet.loading.ModuleLoadException;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.RegistrationOwner;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolSource;
import org.jspecify.annotations.Nullable;

/// Extensions that the fleet and its agents list under some resources, each use by itself, in order. Pure. An extension
/// of the agent runtime (JavaScript, TypeScript) is left out.
///
/// @param fleet around every call
/// @param agents around the calls of each agent, inside those of the fleet
record ExtensionPlan(List<Use> fleet, Map<String, List<Use>> agents) {
    /// One extension in one list.
    ///
    /// @param place the list and the place in it
    /// @param bundle of the agent that lists it; empty for the fleet
    /// @param where the name for logs and problems
    /// @param name of the extension
    /// @param source null if there is none, or it cannot be read
    /// @param problem the reason for that; empty for none
    record Use(String place, String bundle, String where, String name, LoadedExtension.@Nullable Source source,
            String problem) {}

    static ExtensionPlan of(FleetResources resources, List<String> fleetExtensions) {
        List<Use> fleet = new ArrayList<>();
        for (ListedExtension each : ListedExtension.ofFleet(resources, fleetExtensions))
            add(each.where(), "", "", each, fleet);
        Map<String, List<Use>> agents = new HashMap<>();
        for (BundleResources bundle : resources.bundles().values())
            bundle.agents().forEach((name, agent) -> agents.computeIfAbsent(name,
                    _ -> ofAgent(resources, bundle.name(), name, agent.extensions())));
        return new ExtensionPlan(fleet, agents);
    }

    private static List<Use> ofAgent(FleetResources resources, String bundle, String agent, List<ExtensionUse> listed) {
        List<Use> uses = new ArrayList<>();
        List<ListedExtension> own = ListedExtension.of(resources, bundle, listed);
        for (int i = 0; i < own.size(); i++)
            add(bundle + "/" + agent + "/" + i, bundle, agent, own.get(i), uses);
        return uses;
    }

    private static void add(String place, String bundle, String agent, ListedExtension listed, List<Use> uses) {
        // After the owner's name and a slash; a bundle's name may hold one itself.
        String name = listed.where().substring((bundle.isEmpty() ? "fleet" : bundle).length() + 1);
        try {
            ResourceRecord record = listed.record();
            RegistrationOwner owner = new RegistrationOwner(ToolSource.EXTENSION, bundle, agent,
                    ExtensionSpec.of(record.resource()).name(), "");
            LoadedExtension.Source source = LoadedExtension.Source.of(owner, record, listed.overlay());
            if (!source.isOfTheAgentRuntime())
                uses.add(new Use(place, bundle, listed.where(), name, source, ""));
        } catch (RuntimeException e) {
            uses.add(new Use(place, bundle, listed.where(), name, null, ModuleLoadException.reason(e)));
        }
    }

    /// Returns all uses by their places. An extension of the whole fleet has one use, whatever the number of agents.
    Map<String, Use> byPlace() {
        Map<String, Use> uses = new HashMap<>();
        fleet.forEach(use -> uses.put(use.place(), use));
        agents.values().forEach(list -> list.forEach(use -> uses.put(use.place(), use)));
        return uses;
    }
}
