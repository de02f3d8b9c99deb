package dev.toolfleet.worker.identity;

import dev.toolfleet.wire.BudgetPlace;

/// Amount that a call is about to spend of one budget.
///
/// @param total the budget, and the instance or turn
/// @param amount in the unit of the budget, at least 1
/// @param limit the most that may be spent
public record BudgetSpending(BudgetPlace total, long amount, long limit) {
    /// Checks the amount.
    public BudgetSpending {
        if (amount < 1)
            throw new IllegalArgumentException("amount must be at least 1, got " + amount);
        if (total.call() != null)
            throw new IllegalArgumentException("a total names no call, got " + total);
    }

    /// Budget that has too little left for a call.
    ///
    /// @param of the amount that was to be spent
    /// @param left the amount that is left
    public record Shortage(BudgetSpending of, long left) {}
}
