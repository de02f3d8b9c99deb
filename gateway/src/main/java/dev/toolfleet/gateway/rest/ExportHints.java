package dev.toolfleet.gateway.rest;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.toolfleet.bundle.ToolAnnotations;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ToolCatalogItem;
import org.jspecify.annotations.Nullable;

/// Promises of exports about their effects, by the agents that list them. The declarations are their only source; what is
/// computed from them is kept until they change.
///
/// **Threads.** Thread-safe.
final class ExportHints {
    private final Supplier<FleetResources> declarations;
    private final ConcurrentHashMap<String, Known> byAgent = new ConcurrentHashMap<>();

    /// Promises of one agent's exports.
    ///
    /// @param of the declarations from which they were computed
    private record Known(FleetResources of, Map<String, ToolAnnotations> byName) {}

    /// @param declarations those of the moment
    ExportHints(Supplier<FleetResources> declarations) {
        this.declarations = declarations;
    }

    /// Returns the promises of the export that an agent's model calls by this name; empty when no declaration of the
    /// agent has it. A name that only a middleware shows is one of these.
    Optional<ToolAnnotations> of(String agent, String name) {
        FleetResources now = declarations.get();
        if (now.agent(agent).isEmpty()) {
            // Names of undeclared agents are the client's choice, and would fill the memory.
            byAgent.remove(agent);
            return Optional.empty();
        }
        Known known = byAgent.compute(agent, (_, before) -> known(before, now, agent));
        return Optional.ofNullable(known.byName().get(name));
    }

    /// Leases are renewed all the time, and change nothing here.
    @SuppressWarnings("ReferenceEquality") // Comparing what they hold is for those that were replaced.
    private static Known known(@Nullable Known before, FleetResources now, String agent) {
        if (before != null && before.of() == now)
            return before;
        return new Known(now, before != null && before.of().showsWhat(now) ? before.byName() : names(now, agent));
    }

    private static Map<String, ToolAnnotations> names(FleetResources resources, String agent) {
        Map<String, ToolAnnotations> names = new HashMap<>();
        for (ToolCatalogItem item : AgentTools.items(resources, agent))
            resources.tool(item.tool()).flatMap(tool -> tool.export(item.tool().export()))
                    .ifPresent(export -> names.put(item.name(), export.annotations()));
        return names;
    }
}
