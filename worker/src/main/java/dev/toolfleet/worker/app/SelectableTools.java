package dev.toolfleet.worker.app;

import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

import dev.toolfleet.bundle.PromptInclusion;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.GroupInclusion;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.worker.tools.toolsearch.ToolSearchModule.Searchable;

/// What a search is among: the agent's tools, those of on-demand groups included, and not the search itself.
///
/// @param clock judges leases
record SelectableTools(Supplier<FleetResources> resources, InstantSource clock) implements Searchable {
    private static final String SEARCH = "tool-search";

    @Override
    public List<ToolCatalogItem> tools(String agent) {
        FleetResources now = resources.get().live(clock.instant());
        AgentTools tools = AgentTools.of(now, agent);
        return tools.items().stream().filter(item -> !isSearch(item)
                && GroupInclusion.of(now, tools.bundle(), item) != PromptInclusion.NEVER).toList();
    }

    private static boolean isSearch(ToolCatalogItem item) {
        return item.tool().bundle().equals(FleetResources.BUILT_IN) && item.tool().tool().equals(SEARCH);
    }
}
