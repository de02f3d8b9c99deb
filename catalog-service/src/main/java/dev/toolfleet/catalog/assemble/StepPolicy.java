package dev.toolfleet.catalog.assemble;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCatalogItem;
import org.jspecify.annotations.Nullable;

/// Last stage of a step's catalog: a tool that policy denies is not shown (`docs/catalog.md`, `docs/policy.md`). Called
/// by several threads.
@FunctionalInterface
public interface StepPolicy {
    /// Denies nothing, and no policy takes part.
    StepPolicy ALLOW_ALL = (resources, step, labels, items, now) -> new Permitted(items, null);

    /// Returns the permitted items.
    ///
    /// @param labels those of the instance that counted when the step was read
    /// @param items the layers' list, in order
    /// @param now the time that ends operators' denials
    Permitted permit(FleetResources resources, StepStarted step, Set<String> labels,
            List<ToolCatalogItem> items, Instant now);

    /// Permitted items of a step.
    ///
    /// @param items some of the given items, in their order
    /// @param policyDigest the policy in effect; null for none
    record Permitted(List<ToolCatalogItem> items, @Nullable String policyDigest) {
        /// Copies the list.
        public Permitted {
            items = List.copyOf(items);
        }
    }
}
