package dev.toolfleet.policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ToolCatalogItem;

/// What a step may show of a catalog: everything that its caller is not denied, whatever the arguments. A tool that needs
/// approval is shown, and so is one that is denied with some arguments: the worker decides about each call.
///
/// @param items those that remain, in their order
/// @param policyDigest of the policy that took part; empty while no bundle holds one
public record StepTools(List<ToolCatalogItem> items, Optional<String> policyDigest) {
    /// Copies the items.
    public StepTools {
        items = List.copyOf(items);
    }

    /// What a policy leaves of a catalog's items.
    ///
    /// @param policy compiled from `resources`
    /// @param caller the step's agent, user and channel
    /// @param now by which what operators have switched off ends
    public static StepTools of(Policy policy, FleetResources resources, PolicyCaller caller,
            List<ToolCatalogItem> items, Instant now) {
        if (policy.isEmpty())
            return new StepTools(items, Optional.empty());
        List<ToolCatalogItem> shown = new ArrayList<>(items.size());
        for (ToolCatalogItem item : items) {
            if (!policy.decide(PolicyQuery.ofStep(PolicyTool.of(resources, item), caller), now).denied())
                shown.add(item);
        }
        return new StepTools(shown, Optional.of(policy.digest()));
    }
}
