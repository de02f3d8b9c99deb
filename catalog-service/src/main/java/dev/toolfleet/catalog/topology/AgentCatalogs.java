package dev.toolfleet.catalog.topology;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

import dev.toolfleet.catalog.assemble.AgentCatalog;
import dev.toolfleet.catalog.telemetry.LogKeys;
import dev.toolfleet.resources.FleetResources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The catalogs of agents under the present resources, each assembled and its problems logged once. For one thread.
final class AgentCatalogs {
    private static final Logger LOG = LoggerFactory.getLogger(AgentCatalogs.class);
    /// Steps may name agents that do not exist, any number of them.
    private static final int MAX_AGENTS = 1000;

    private final Supplier<FleetResources> resources;
    private final Map<String, AgentCatalog> catalogs = new HashMap<>();
    private FleetResources assembledFrom = FleetResources.EMPTY;

    AgentCatalogs(Supplier<FleetResources> resources) {
        this.resources = resources;
    }

    /// @param time by which leases of registrations are judged
    AgentCatalog of(String agentName, Instant time) {
        FleetResources now = resources.get().live(time);
        if (now != assembledFrom) {
            if (!now.showsWhat(assembledFrom))
                catalogs.clear();
            assembledFrom = now;
        }
        if (catalogs.size() >= MAX_AGENTS)
            catalogs.clear();
        return catalogs.computeIfAbsent(agentName, name -> assemble(now, name));
    }

    private static AgentCatalog assemble(FleetResources resources, String agentName) {
        AgentCatalog catalog = AgentCatalog.of(resources, agentName);
        catalog.problems().forEach(problem -> LOG.atWarn().addKeyValue(LogKeys.AGENT, agentName)
                .addKeyValue(LogKeys.REASON, problem).log("Catalog is not what its bundle says"));
        return catalog;
    }
}
