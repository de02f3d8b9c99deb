package dev.toolfleet.worker.registry;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.worker.registry.ExtensionPlan.Use;

/// Decides which bundles move to their newest revision. Pure.
///
/// **Contract.** A bundle moves when each of its Tools has loaded or failed, and each use of an extension, by any agent
/// or by the fleet, is ready. A use is ready if it is the one before, or the declared one that has loaded or failed. So
/// a bundle whose Agent lists an extension of another bundle waits for that bundle. Both move together where they list
/// each other, and a bundle that changes an extension waits for every agent that lists it. Others do not wait.
///
/// **Why.** Bundle P gets an extension and bundle A lists it. Otherwise: A moves first, finds no such extension, and
/// refuses its calls until P has loaded, up to 30 s.
///
/// @param shown the resources in use
/// @param declared the newest revision of each bundle
/// @param fleetExtensions listed by the fleet
/// @param settled true for a declared use that has loaded or failed
record RevisionSwitch(FleetResources shown, FleetResources declared, List<String> fleetExtensions,
        Predicate<Use> settled) {
    /// Returns the bundles whose newest revision is not in use.
    static Set<String> changed(FleetResources shown, FleetResources declared) {
        Set<String> changed = new TreeSet<>(shown.bundles().keySet());
        changed.addAll(declared.bundles().keySet());
        changed.removeIf(bundle -> shown.bundle(bundle).equals(declared.bundle(bundle)));
        return changed;
    }

    /// Returns the bundles that move now.
    ///
    /// @param ready those of the changed ones whose Tools have loaded or failed
    Set<String> moving(Set<String> ready) {
        if (ready.isEmpty())
            return Set.of();
        Map<String, Use> before = uses(shown);
        Map<String, Use> after = uses(declared);
        Set<String> moving = new HashSet<>(ready);
        while (!moving.isEmpty()) {
            Set<String> held = held(uses(after(moving)), before, after, moving);
            if (held.isEmpty())
                return moving;
            moving.removeAll(held);
        }
        return moving;
    }

    /// Returns the resources in use after some bundles have moved. Registrations have no code to load and are always
    /// the newest.
    FleetResources after(Set<String> moved) {
        SortedMap<String, BundleResources> bundles = new TreeMap<>(shown.bundles());
        for (String bundle : moved)
            declared.bundle(bundle).ifPresentOrElse(now -> bundles.put(bundle, now), () -> bundles.remove(bundle));
        return new FleetResources(bundles, declared.registrations());
    }

    private Map<String, Use> uses(FleetResources resources) {
        return ExtensionPlan.of(resources, fleetExtensions).byPlace();
    }

    private Set<String> held(Map<String, Use> uses, Map<String, Use> before, Map<String, Use> after,
            Set<String> moving) {
        Set<String> held = new HashSet<>();
        for (Use use : uses.values()) {
            boolean kept = use.equals(before.get(use.place()));
            boolean arrived = use.equals(after.get(use.place())) && (use.source() == null || settled.test(use));
            if (!kept && !arrived)
                held.addAll(causes(use, moving));
        }
        return held;
    }

    /// Returns the bundles that cause a use: the one that lists it, else those that declare it.
    private Set<String> causes(Use use, Set<String> moving) {
        if (moving.contains(use.bundle()))
            return Set.of(use.bundle());
        Set<String> providers = new HashSet<>(moving);
        providers.removeIf(bundle -> !provides(shown, bundle, use.name()) && !provides(declared, bundle, use.name()));
        return providers.isEmpty() ? moving : providers;
    }

    private static boolean provides(FleetResources resources, String bundle, String extension) {
        return resources.bundle(bundle).flatMap(found -> found.find(Kinds.EXTENSION, extension)).isPresent();
    }
}
