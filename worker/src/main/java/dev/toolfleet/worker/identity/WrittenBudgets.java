package dev.toolfleet.worker.identity;

import java.util.List;

import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.SpentBudget;

/// Entries of the journal that are written with a result, about what its call has spent.
///
/// @param spent totals, or amounts that are not in a total yet
/// @param gone amounts that a total has taken up, and those that are over
public record WrittenBudgets(List<SpentBudget> spent, List<BudgetPlace> gone) {
    static final WrittenBudgets NOTHING = new WrittenBudgets(List.of(), List.of());

    /// Copies the lists.
    public WrittenBudgets {
        spent = List.copyOf(spent);
        gone = List.copyOf(gone);
    }
}
