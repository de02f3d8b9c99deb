package dev.toolfleet.wire;

import java.util.List;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Amount that the calls of one partition of `tool.call` have spent of a budget of an agent or user, as the whole fleet
/// knows it. On `tool.budget` under [#key()], written with the entry of `tool.journal` that it repeats, until a tombstone
/// (`docs/budgets.md`). What the fleet has spent is the sum over all partitions.
///
/// @param kind always [#KIND]
/// @param partition of `tool.call`
/// @param spent the entry of the journal
/// @param taken digests of the calls whose amounts this total has taken up; absent for none
public record PublishedBudget(String kind, int partition, SpentBudget spent, @Nullable List<String> taken) {
    /// Value of `kind`.
    public static final String KIND = "spent";

    /// Checks that all parts are present.
    public PublishedBudget {
        requireNonNull(kind, "kind");
        requireNonNull(spent, "spent");
        if (partition < 0)
            throw new IllegalArgumentException("partition must not be negative, got " + partition);
        if (spent.per() == null)
            throw new IllegalArgumentException("only amounts of an agent or user are published, got one of instance '"
                    + spent.instanceKey() + "'");
        taken = taken == null || taken.isEmpty() ? null : List.copyOf(taken);
    }

    /// Makes the record of an amount.
    public static PublishedBudget of(int partition, SpentBudget spent, List<String> taken) {
        return new PublishedBudget(KIND, partition, spent, taken);
    }

    /// Returns the record's key.
    public String key() {
        return new BudgetPlace.InPartition(partition, spent.place()).key();
    }
}
