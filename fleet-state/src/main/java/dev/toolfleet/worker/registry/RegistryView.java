package dev.toolfleet.worker.registry;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.toolfleet.bundle.PromptInclusion;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.GroupInclusion;
import dev.toolfleet.wire.ToolCatalogItem;

/// Registry at one moment, as calls see it: declarations with their code. Immutable, except for modules that load
/// later.
///
/// @param resources the revision of each bundle that is in use
/// @param declared the newest revision of each bundle
/// @param modules of `resources`, by bundle
/// @param layers of `resources`
/// @param byAgent the tools of each agent, by name
/// @param readOnly names that are read-only wherever they are declared, in use or newest
/// @param loading bundles whose newest revision is being loaded
record RegistryView(FleetResources resources, FleetResources declared, Map<String, ToolModules> modules,
        ExtensionLayers layers, Map<String, Map<String, CatalogTool>> byAgent, Set<String> readOnly,
        Set<String> loading) {
    static final RegistryView EMPTY = new RegistryView(FleetResources.EMPTY, FleetResources.EMPTY, Map.of(),
            ExtensionLayers.NONE, Map.of(), Set.of(), Set.of());

    /// Copies the modules.
    RegistryView {
        modules = Map.copyOf(modules);
        loading = Set.copyOf(loading);
    }

    /// Returns a view with other declarations and their code.
    RegistryView with(FleetResources shown, FleetResources newest, Map<String, ToolModules> code,
            ExtensionLayers around) {
        return new RegistryView(shown, newest, code, around, catalogs(shown), readOnlyNames(shown, newest),
                RevisionSwitch.changed(shown, newest));
    }

    /// Returns a view with another newest revision of some bundle, which is not in use yet.
    RegistryView declaring(FleetResources newest) {
        return new RegistryView(resources, newest, modules, layers, byAgent, readOnlyNames(resources, newest),
                RevisionSwitch.changed(resources, newest));
    }

    /// Returns a view with renewed leases.
    RegistryView renewed(FleetResources shown, FleetResources newest) {
        return new RegistryView(shown, newest, modules, layers, byAgent, readOnly, loading);
    }

    /// Returns a view with extensions that loaded or failed since.
    RegistryView around(ExtensionLayers now) {
        return new RegistryView(resources, declared, modules, now, byAgent, readOnly, loading);
    }

    /// Returns a view without code.
    RegistryView closed() {
        return new RegistryView(resources, declared, Map.of(), ExtensionLayers.NONE, byAgent, readOnly, Set.of());
    }

    boolean isTroubled() {
        return !layers.problems().isEmpty() || modules.values().stream().anyMatch(each -> !each.problems().isEmpty());
    }

    /// Returns the reason for each Tool and Extension that is not loaded, by `bundle/Tool` and `bundle/Extension`.
    Map<String, String> problems() {
        Map<String, String> problems = new TreeMap<>(layers.problems());
        modules.forEach((bundle, tools) -> tools.problems()
                .forEach((tool, why) -> problems.put(bundle + "/" + tool, why)));
        return problems;
    }

    /// Returns the tools of each agent, without the groups that are in no catalog.
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

    /// Returns the names that are read-only in both revisions. A lane decides once, when it takes a call in, and a call
    /// of a revision that is being loaded waits in its lane. Otherwise: the call counts as read-only by the revision
    /// before, and runs beside others although its tool no longer allows that.
    private static Set<String> readOnlyNames(FleetResources shown, FleetResources newest) {
        Map<String, Boolean> names = new HashMap<>();
        Stream.of(shown, newest)
                .flatMap(each -> Stream.concat(
                        each.bundles().values().stream().flatMap(bundle -> bundle.tools().values().stream()),
                        each.registrations().values().stream().flatMap(owner -> owner.tools().values().stream())))
                .forEach(tool -> tool.exports().stream().filter(export -> tool.nameProblem(export).isEmpty())
                        .forEach(export -> names.merge(tool.fullName(export), export.annotations().readOnly(),
                                Boolean::logicalAnd)));
        return names.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }
}
