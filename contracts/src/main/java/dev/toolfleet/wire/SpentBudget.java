package dev.toolfleet.wire;

import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Amount that an instance, one of its turns, or an agent or user on one day has spent of a budget. On `tool.journal`
/// under [#key()], written in the transaction of a call's result, until a tombstone; also in a [CallIntent], for a call
/// that is about to start.
///
/// @param kind always [#KIND]
/// @param budget `bundle/name` of the `EffectBudget`; a bundle's name may have a scope, as in `@scope/bundle/name`
/// @param unit [#CALLS] or [#COST]
/// @param turn digest of agent and turn, for a budget of a turn; absent for any other
/// @param call digest of the call that spent it, for an amount that is not in the total yet; absent for the total
/// @param instanceKey the instance; absent for a budget of an agent or user
/// @param per `agent` or `user`; absent for a budget of an instance or turn
/// @param date the day in UTC, with `per`
/// @param name the agent or user, with `per`; empty for calls that name none
/// @param amount in `unit`
/// @param calledAt the time at which the newest call spent, by its worker's clock
public record SpentBudget(String kind, String budget, String unit, @Nullable String turn, @Nullable String call,
        @Nullable String instanceKey, @Nullable String per, @Nullable String date, @Nullable String name, long amount,
        Instant calledAt) implements JournalEntry {
    /// Value of `kind`.
    public static final String KIND = "budget";
    /// Unit of a budget that counts calls.
    public static final String CALLS = "calls";
    /// Unit of a budget that adds the declared costs of calls.
    public static final String COST = "cost";

    private static final Set<String> UNITS = Set.of(CALLS, COST);

    /// Checks that all parts are present.
    public SpentBudget {
        requireNonNull(kind, "kind");
        requireNonNull(budget, "budget");
        requireNonNull(unit, "unit");
        requireNonNull(calledAt, "calledAt");
        if (!BudgetPlace.isBudget(budget))
            throw new IllegalArgumentException(
                    "budget must be bundle/name or @scope/bundle/name, got '" + budget + "'");
        if (!UNITS.contains(unit))
            throw new IllegalArgumentException("unit must be calls or cost, got '" + unit + "'");
        if (amount < 0)
            throw new IllegalArgumentException("amount must not be negative, got " + amount);
        if ((instanceKey == null) == (per == null))
            throw new IllegalArgumentException("either instanceKey or per must be there, got '" + instanceKey
                    + "' and '" + per + "'");
        day(per, date, name);
    }

    /// Makes an amount of an instance or turn.
    public SpentBudget(String budget, String unit, @Nullable String turn, @Nullable String call, String instanceKey,
            long amount, Instant calledAt) {
        this(KIND, budget, unit, turn, call, instanceKey, null, null, null, amount, calledAt);
    }

    /// Makes an amount with this place.
    public static SpentBudget at(BudgetPlace place, long amount, Instant calledAt) {
        BudgetPlace.Day day = place.day();
        return day == null
                ? new SpentBudget(KIND, place.budget(), place.unit(), place.turn(), place.call(), place.instanceKey(),
                        null, null, null, amount, calledAt)
                : new SpentBudget(KIND, place.budget(), place.unit(), null, place.call(), null, day.per().text(),
                        day.date().toString(), day.name(), amount, calledAt);
    }

    private static BudgetPlace.@Nullable Day day(@Nullable String per, @Nullable String date, @Nullable String name) {
        if (per == null)
            return null;
        BudgetPlace.Day.Per kind = BudgetPlace.Day.Per.of(per)
                .orElseThrow(() -> new IllegalArgumentException("per must be agent or user, got '" + per + "'"));
        try {
            return new BudgetPlace.Day(kind, LocalDate.parse(requireNonNull(date, "date")),
                    requireNonNull(name, "name"));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("date must be a day such as 2026-01-31, got '" + date + "'", e);
        }
    }

    /// Returns the place of this amount.
    public BudgetPlace place() {
        return new BudgetPlace(budget, unit, turn, call, instanceKey, day(per, date, name));
    }

    @Override
    public String key() {
        return place().key();
    }
}
