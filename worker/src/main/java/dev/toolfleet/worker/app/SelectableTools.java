package dev.toolfleet.worker.app;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import dev.toolfleet.bundle.PromptInclusion;
import dev.toolfleet.policy.Policy;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.policy.StepTools;
import dev.toolfleet.resources.AgentSkills;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.GroupInclusion;
import dev.toolfleet.wire.ToolCatalogItem;
import dev.toolfleet.worker.tools.skills.Shelf;
import dev.toolfleet.worker.tools.toolsearch.ToolSearchModule.Searchable;

/// Tools that a search is among: the agent's tools, those of on-demand groups included, and neither the search itself nor
/// what policy denies to the caller. Thread-safe.
final class SelectableTools implements Searchable {
    private static final String SEARCH = "tool-search";

    private final Supplier<FleetResources> resources;
    private final InstantSource clock;
    private volatile Compiled compiled = new Compiled(Map.of(), Policy.compile(FleetResources.EMPTY));

    private record Compiled(Map<String, BundleResources> bundles, Policy policy) {}

    /// @param clock judges leases, and what operators have switched off
    SelectableTools(Supplier<FleetResources> resources, InstantSource clock) {
        this.resources = resources;
        this.clock = clock;
    }

    @Override
    public List<ToolCatalogItem> tools(String agent, PolicyCaller caller) {
        Instant at = clock.instant();
        FleetResources now = resources.get().live(at);
        AgentTools tools = AgentTools.of(now, agent);
        List<ToolCatalogItem> selectable = tools.items().stream().filter(item -> !isSearch(item)
                && GroupInclusion.of(now, tools.bundle(), item) != PromptInclusion.NEVER).toList();
        // Labels change no list of a search: the call is ruled with them.
        return StepTools.of(policy(now), now, caller, Set.of(), selectable, at).items();
    }

    /// Returns the agent's skills, and the tools that they may be ready with.
    Shelf shelf(String agent, PolicyCaller caller) {
        return new Shelf(AgentSkills.of(resources.get().live(clock.instant()), agent).skills(), tools(agent, caller));
    }

    /// Two calls may compile the same policy at the same time, which costs time and does no harm.
    private Policy policy(FleetResources now) {
        Compiled last = compiled;
        if (last.bundles().equals(now.bundles()))
            return last.policy();
        Policy policy = Policy.compile(now);
        compiled = new Compiled(now.bundles(), policy);
        return policy;
    }

    private static boolean isSearch(ToolCatalogItem item) {
        return item.tool().bundle().equals(FleetResources.BUILT_IN) && item.tool().tool().equals(SEARCH);
    }
}
