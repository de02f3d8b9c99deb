package dev.toolfleet.resources;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import dev.toolfleet.bundle.ExtensionUse;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.wire.ToolSource;

/// Registered tools that an agent sees, behind those of its `spec.tools`. Their order depends on declarations alone,
/// not on time, so that every reader settles a clash in the same way.
final class RegisteredItems {
    private RegisteredItems() {}

    static void add(FleetResources resources, DeclaredAgent agent, List<ToolCatalogItem> items,
            List<String> problems) {
        Map<String, ToolSource> taken = new HashMap<>();
        items.forEach(item -> taken.put(item.name(), item.source()));
        for (String type : List.of(ToolSource.EXTENSION, ToolSource.MCP)) {
            for (Registration registration : seen(resources, agent, type))
                add(registration, taken, items, problems);
        }
    }

    private static List<Registration> seen(FleetResources resources, DeclaredAgent agent, String type) {
        List<Registration> seen = new ArrayList<>();
        for (ExtensionUse use : agent.spec().extensions()) {
            if (use.ref().kind().equals(Kinds.EXTENSION)) {
                collect(resources, seen, type, owner -> owner.bundle().equals(agent.bundle())
                        && owner.agent().equals(agent.spec().name()) && owner.extension().equals(use.ref().name()));
            }
        }
        collect(resources, seen, type, RegistrationOwner::ofFleet);
        return seen;
    }

    private static void collect(FleetResources resources, List<Registration> into, String type,
            Predicate<RegistrationOwner> wanted) {
        resources.registrations().values().stream()
                .filter(each -> each.owner().type().equals(type) && wanted.test(each.owner()) && !into.contains(each))
                .forEach(into::add);
    }

    private static void add(Registration registration, Map<String, ToolSource> taken, List<ToolCatalogItem> items,
            List<String> problems) {
        problems.addAll(registration.problems());
        for (Map.Entry<String, ToolSpec> each : registration.tools().entrySet()) {
            ToolSource holder = taken.putIfAbsent(each.getKey(), registration.owner().source());
            if (holder == null) {
                items.add(AgentTools.item(registration.declared(each.getValue()),
                        each.getValue().exports().getFirst(), each.getKey()));
            } else {
                problems.add(registration.owner() + " claims the name " + each.getKey() + ", which belongs to "
                        + holder.type() + " " + holder.name() + "; its claim is refused, rename one of the two");
            }
        }
    }
}
