package dev.toolfleet.policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ToolCatalogItem;

/// Tools of a catalog that a step may show: all that its caller is not denied with every arguments. A tool that
/// requires approval is shown, and so is one that is denied with some arguments: the worker decides about each call.
///
/// @param items the remaining ones, in their order
/// @param policyDigest the policy in effect; empty while no bundle has one
public record StepTools(List<ToolCatalogItem> items, Optional<String> policyDigest) {
    /// Copies the items.
    public StepTools {
        items = List.copyOf(items);
    }

    /// Applies a policy to a catalog's items.
    ///
    /// @param policy compiled from `resources`
    /// @param caller the step's agent, user and channel
    /// @param labels of the instance
    /// @param now the time that ends operators' denials
    public static StepTools of(Policy policy, FleetResources resources, PolicyCaller caller,
            Set<String> labels, List<ToolCatalogItem> items, Instant now) {
        if (policy.isEmpty())
            return new StepTools(items, Optional.empty());
        List<ToolCatalogItem> shown = new ArrayList<>(items.size());
        for (ToolCatalogItem item : items) {
            if (!policy.decide(PolicyQuery.ofStep(PolicyTool.of(resources, item), caller).labelled(labels), now)
                    .denied())
                shown.add(item);
        }
        return new StepTools(shown, Optional.of(policy.digest()));
    }
}
