package dev.toolfleet.catalog.assemble;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.toolfleet.catalog.assemble.StepPolicy.Permitted;
import dev.toolfleet.catalog.middleware.StepExtensions;
import dev.toolfleet.catalog.middleware.StepFacts;
import dev.toolfleet.catalog.middleware.StepOnion;
import dev.toolfleet.catalog.middleware.StepRun;
import dev.toolfleet.catalog.telemetry.LogKeys;
import dev.toolfleet.catalog.telemetry.StepFaults;
import dev.toolfleet.middleware.StepTool;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCatalogItem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes the catalog of a step, in the order of DESIGN 7: what the agent lists and what was registered for it, the step
/// middlewares, policy. For one thread.
///
/// An agent that nobody declares has an empty catalog, so that its calls are refused at once instead of waiting.
public final class CatalogAssembly {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogAssembly.class);
    /// Steps may name agents that do not exist, any number of them.
    private static final int MAX_AGENTS = 1000;

    private final StepExtensions extensions;
    private final StepPolicy policy;
    private final StepFaults faults;
    private final CatalogContents contents = new CatalogContents();
    private final Map<String, AgentSources> sources = new HashMap<>();
    private FleetResources assembledFrom = FleetResources.EMPTY;

    /// Catalogs of steps under these layers and this policy.
    public CatalogAssembly(StepExtensions extensions, StepPolicy policy, StepFaults faults) {
        this.extensions = extensions;
        this.policy = policy;
        this.faults = faults;
    }

    /// The catalog of a step.
    ///
    /// @param facts asked only when one of the agent's extensions remembers something
    /// @param now by which leases of registrations are judged
    public AgentCatalog of(StepStarted step, Supplier<StepFacts> facts, Instant now) {
        try (StepExtensions.Acquired held = extensions.acquire(step.agentName())) {
            FleetResources live = held.resources().live(now);
            AgentSources from = sources(live, step.agentName());
            StepFacts remembered = held.layers().memories().isEmpty() ? StepFacts.NONE : facts.get();
            List<ToolCatalogItem> shown = StepOnion
                    .run(extensions.threads(), held.layers(), new StepRun(step, from.offer(), remembered, faults))
                    .stream()
                    .map(StepTool::item).toList();
            Permitted permitted = permitted(live, step, shown, now);
            return new AgentCatalog(from.bundle(), from.revision(), from.revisions(),
                    content(step, permitted.items()), permitted.policyDigest());
        }
    }

    private Permitted permitted(FleetResources resources, StepStarted step, List<ToolCatalogItem> items,
            Instant now) {
        try {
            return policy.permit(resources, step, items, now);
        } catch (RuntimeException | StackOverflowError e) {
            // What nobody has judged is not shown.
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
            // A layer's schema may be endless, or no JSON.
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
        made.problems().forEach(problem -> LOG.atWarn().addKeyValue(LogKeys.AGENT, agentName)
                .addKeyValue(LogKeys.REASON, problem).log("Catalog is not what its bundle says"));
        return made;
    }
}
