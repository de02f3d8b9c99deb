package dev.toolfleet.catalog.assemble;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.ToolCatalogItem;
import org.jspecify.annotations.Nullable;

/// The last word on a step's catalog: a tool that policy denies is not shown (DESIGN 7, 8). Called by several threads.
@FunctionalInterface
public interface StepPolicy {
    /// Nothing is denied, and no policy takes part.
    StepPolicy ALLOW_ALL = (resources, step, items, now) -> new Permitted(items, null);

    /// What remains.
    ///
    /// @param items as the layers left them, in order
    /// @param now by which what operators have switched off ends
    Permitted permit(FleetResources resources, StepStarted step, List<ToolCatalogItem> items, Instant now);

    /// What remains of a step's items.
    ///
    /// @param items some of those that were given, in their order
    /// @param policyDigest the policy that took part; null when none did
    record Permitted(List<ToolCatalogItem> items, @Nullable String policyDigest) {
        /// Copies the list.
        public Permitted {
            items = List.copyOf(items);
        }
    }
}
