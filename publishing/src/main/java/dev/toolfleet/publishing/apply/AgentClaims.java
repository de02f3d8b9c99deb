package dev.toolfleet.publishing.apply;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.RevisionPlan;

/// Agents that two bundles have. A call names an Agent and no bundle, so of two bundles with one Agent only the one
/// whose name sorts first counts (decision 0018). Pure.
final class AgentClaims {
    private AgentClaims() {}

    /// Refuses a bundle that takes the name of another bundle's Agent.
    ///
    /// @throws ApplyException (refused) that names both bundles; not for what the bundle had before
    static void refuseNew(String bundle, List<RevisionPlan.Declared> resources, FleetResources shown) {
        List<String> taken = new ArrayList<>();
        for (String agent : agents(resources)) {
            boolean had = shown.bundle(bundle).flatMap(own -> own.agent(agent)).isPresent();
            if (!had)
                others(bundle, agent, shown).forEach(other -> taken.add("the Agent " + agent
                        + " is declared by the bundle " + other + " already"));
        }
        if (!taken.isEmpty())
            throw ApplyException.refused("the bundle " + bundle + " was not applied: " + String.join("; ", taken)
                    + ". A call names an Agent and no bundle, so only one bundle can have it. Rename it here, or take it"
                    + " out of the other bundle and apply that one first.");
    }

    /// A sentence for each Agent of the bundle that another one has too, which is so when both were applied at one
    /// moment.
    static List<String> both(String bundle, FleetResources shown) {
        List<String> sentences = new ArrayList<>();
        shown.bundle(bundle).ifPresent(own -> own.agents().keySet()
                .forEach(agent -> others(bundle, agent, shown).forEach(other -> sentences.add("the Agent " + agent
                        + " is declared by " + bundle + " and by " + other + "; only that of "
                        + (bundle.compareTo(other) < 0 ? bundle : other) + " counts; rename one of them"))));
        return sentences;
    }

    private static Set<String> agents(List<RevisionPlan.Declared> resources) {
        Set<String> names = new TreeSet<>();
        resources.stream().map(RevisionPlan.Declared::resource)
                .filter(resource -> resource.path("kind").asString("").equals(Kinds.AGENT))
                .forEach(resource -> names.add(resource.path("metadata").path("name").asString("")));
        return names;
    }

    private static List<String> others(String bundle, String agent, FleetResources shown) {
        return shown.bundles().values().stream()
                .filter(other -> !other.name().equals(bundle) && other.agents().containsKey(agent))
                .map(BundleResources::name).toList();
    }
}
