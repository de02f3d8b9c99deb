package dev.toolfleet.worker.policy;

import java.util.List;

import dev.toolfleet.policy.Budgets.Budget;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.registry.CatalogTool;

/// Source of the budgets that a call spends from.
@FunctionalInterface
public interface BudgetGate {
    /// No budgets.
    BudgetGate NONE = (call, tool) -> List.of();

    /// Returns the budgets of a call, of this moment.
    ///
    /// @param call as the middlewares left it
    /// @param tool as its catalog showed it
    List<Budget> of(ToolCall call, CatalogTool tool);
}
