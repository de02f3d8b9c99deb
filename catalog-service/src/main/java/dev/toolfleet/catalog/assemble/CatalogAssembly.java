package dev.toolfleet.catalog.assemble;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import dev.toolfleet.catalog.assemble.StepPolicy.Permitted;
import dev.toolfleet.catalog.middleware.StepExtensions;
import dev.toolfleet.catalog.middleware.StepFacts;
import dev.toolfleet.catalog.middleware.StepOnion;
import dev.toolfleet.catalog.middleware.StepRun;
import dev.toolfleet.catalog.telemetry.CatalogLogKeys;
import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.middleware.StepTool;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCatalogItem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes the catalog of a step (`docs/catalog.md`): the agent's listed and registered tools, then the step middlewares,
/// then policy. For one thread.
///
/// An undeclared agent has an empty catalog. Otherwise: its calls wait instead of being rejected at once.
public final class CatalogAssembly {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogAssembly.class);
    /// The most agents with kept sources: steps may name any number of agents that do not exist.
    private static final int MAX_AGENTS = 1000;

    private final StepExtensions extensions;
    private final StepPolicy policy;
    private final StepFaults faults;
    private final CatalogContents contents = new CatalogContents();
    private final Map<String, AgentSources> sources = new HashMap<>();
    private FleetResources assembledFrom = FleetResources.EMPTY;

    /// Makes catalogs of steps under these layers and this policy.
    public CatalogAssembly(StepExtensions extensions, StepPolicy policy, StepFaults faults) {
        this.extensions = extensions;
        this.policy = policy;
        this.faults = faults;
    }

    /// Returns the catalog of a step.
    ///
    /// @param facts called only when one of the agent's extensions remembers something
    /// @param labels of the instance; called once
    /// @param now the time that decides about leases of registrations
    public AgentCatalog of(StepStarted step, Supplier<StepFacts> facts, Supplier<Set<String>> labels, Instant now) {
        try (StepExtensions.Acquired held = extensions.acquire(step.agentName())) {
            FleetResources live = held.resources().live(now);
            AgentSources from = sources(live, step.agentName());
            StepFacts remembered = held.layers().memories().isEmpty() ? StepFacts.NONE : facts.get();
            List<ToolCatalogItem> shown = StepOnion
                    .run(extensions.threads(), held.layers(), new StepRun(step, from.offer(), remembered, faults))
                    .stream()
                    .map(StepTool::item).toList();
            Permitted permitted = permitted(live, step, labels.get(), shown, now);
            return new AgentCatalog(from.bundle(), from.revision(), from.revisions(),
                    content(step, permitted.items()), permitted.policyDigest());
        }
    }

    private Permitted permitted(FleetResources resources, StepStarted step, Set<String> labels,
            List<ToolCatalogItem> items, Instant now) {
        try {
            return policy.permit(resources, step, labels, items, now);
        } catch (RuntimeException | StackOverflowError e) {
            // Unchecked tools are not shown.
            faults.report(step.agentName(), "policy", "it threw " + e + "; no tools are shown");
            return new Permitted(List.of(), null);
        }
    }

    private CatalogContent content(StepStarted step, List<ToolCatalogItem> items) {
        try {
            CatalogContent content = contents.of(items);
            if (content.fits())
                return content;
            faults.report(step.agentName(), "catalog", "the catalog has " + content.size() + " bytes and may have "
                    + CatalogContent.MAX_SIZE + ", so it is empty; list fewer tools or shorten their schemas");
        } catch (RuntimeException | StackOverflowError e) {
            // A layer's schema may be endless, or not JSON.
            faults.report(step.agentName(), "catalog", "the catalog cannot be written, so it is empty: " + e);
        }
        return contents.of(List.of());
    }

    @SuppressWarnings("ReferenceEquality") // Comparing what they hold is for those that were replaced.
    private AgentSources sources(FleetResources resources, String agentName) {
        boolean same = resources == assembledFrom || resources.showsWhat(assembledFrom);
        assembledFrom = resources;
        if (!same || sources.size() >= MAX_AGENTS) {
            sources.clear();
            contents.forget();
        }
        return sources.computeIfAbsent(agentName, name -> logged(AgentSources.of(resources, name), name));
    }

    private static AgentSources logged(AgentSources made, String agentName) {
        made.problems().forEach(problem -> LOG.atWarn().addKeyValue(CatalogLogKeys.AGENT, agentName)
                .addKeyValue(CatalogLogKeys.REASON, problem).log("catalog differs from its bundle"));
        return made;
    }
}
