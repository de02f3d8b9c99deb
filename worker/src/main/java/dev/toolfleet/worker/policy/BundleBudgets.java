package dev.toolfleet.worker.policy;

import java.util.List;
import java.util.function.Supplier;

import dev.toolfleet.policy.Budgets;
import dev.toolfleet.policy.Budgets.Budget;
import dev.toolfleet.policy.PolicyCaller;
import dev.toolfleet.policy.PolicyTool;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.registry.CatalogTool;

import static java.util.Objects.requireNonNull;

/// Budgets of the bundles' present declarations, whatever a catalog showed. They are compiled once for each change of the
/// bundles, so a new revision counts from the next call on. Thread-safe.
public final class BundleBudgets implements BudgetGate {
    private final Supplier<FleetResources> resources;
    private volatile Compiled compiled = new Compiled(FleetResources.EMPTY, Budgets.compile(FleetResources.EMPTY));

    private record Compiled(FleetResources resources, Budgets budgets) {}

    /// @param resources the bundles' declarations; the same object until they change
    public BundleBudgets(Supplier<FleetResources> resources) {
        this.resources = resources;
    }

    @Override
    public List<Budget> of(ToolCall call, CatalogTool tool) {
        Compiled now = current();
        return now.budgets().isEmpty()
                ? List.of()
                : now.budgets().of(PolicyTool.of(now.resources(), tool.item()),
                        new PolicyCaller(call.userId(), call.channelId(), call.agentName()));
    }

    /// Renewed leases make other resources of the same bundles: nothing is compiled for them.
    @SuppressWarnings("ReferenceEquality") // A view that was not replaced is the same object.
    private Compiled current() {
        FleetResources now = requireNonNull(resources.get());
        Compiled last = compiled;
        if (last.resources() == now)
            return last;
        Compiled next = new Compiled(now,
                last.resources().bundles().equals(now.bundles()) ? last.budgets() : Budgets.compile(now));
        compiled = next;
        return next;
    }
}
