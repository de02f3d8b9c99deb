package dev.toolfleet.worker.identity;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.SpentBudget;
import org.jspecify.annotations.Nullable;

/// Amount that one instance, turn, agent or user has spent of one budget: the total on the journal, the amounts beside it, and those of
/// calls without a committed result. Not thread-safe: [BudgetLedger] guards it.
///
/// **Contract.** No key of the journal is written while another write of it is on its way. So the order in which results
/// are committed does not matter.
final class BudgetAmount {
    private final BudgetPlace place;
    private final Map<String, Open> open = new HashMap<>();
    private final Map<String, Long> singles = new HashMap<>();
    /// Calls whose results carry entries of this amount to the journal.
    private final Set<String> uncommitted = new HashSet<>();
    private Instant calledAt = Instant.EPOCH;
    private boolean hasTotal;
    private long total;
    private long single;
    private long reserved;

    BudgetAmount(BudgetPlace place) {
        this.place = place;
    }

    /// Amount of a call without a committed result.
    ///
    /// @param begun true once its handler has begun, here or at an earlier owner
    /// @param end its entry on the journal; null before its end
    private record Open(long amount, Instant calledAt, boolean begun, @Nullable End end) {}

    /// Entry that a call's result carries.
    private sealed interface End {
        /// A total, which takes up the amounts beside it.
        record Total(long value, Set<String> taken) implements End {}

        /// An amount beside the total.
        record Single(String key) implements End {}
    }

    long spent() {
        return total + single + reserved;
    }

    Instant calledAt() {
        return calledAt;
    }

    /// True if no call holds it, and nothing of it is on its way to the journal.
    boolean isIdle() {
        return open.isEmpty() && uncommitted.isEmpty();
    }

    boolean isEmpty() {
        return isIdle() && !hasTotal && singles.isEmpty();
    }

    boolean isSpentBy(String call) {
        return open.containsKey(call);
    }

    void spend(String call, long amount, Instant at, boolean begun) {
        giveBack(call);
        open.put(call, new Open(amount, at, begun, null));
        reserved += amount;
        calledAt = at.isAfter(calledAt) ? at : calledAt;
    }

    /// Returns true if it had not begun before.
    boolean began(String call) {
        Open one = open.get(call);
        if (one == null || one.begun())
            return false;
        open.put(call, new Open(one.amount(), one.calledAt(), true, one.end()));
        return true;
    }

    boolean hasBegun(String call) {
        Open one = open.get(call);
        return one != null && one.begun();
    }

    void giveBack(String call) {
        Open one = open.remove(call);
        if (one != null)
            reserved -= one.amount();
    }

    /// Returns the amount of a call without a committed result; null for any other.
    @Nullable
    SpentBudget of(String call) {
        Open one = open.get(call);
        return one == null ? null : entry(null, one.amount(), one.calledAt());
    }

    /// A call has ended: adds the entries that its result carries.
    void ended(String call, List<SpentBudget> spent, List<BudgetPlace> gone) {
        Open one = open.get(call);
        if (one == null)
            return;
        End end;
        if (uncommitted.isEmpty()) {
            long value = total + single + one.amount();
            end = new End.Total(value, Set.copyOf(singles.keySet()));
            spent.add(entry(null, value, calledAt));
            singles.keySet().forEach(key -> gone.add(entry(key, 0, calledAt).place()));
        } else {
            String key = Digest128.of(call + " " + one.calledAt().toEpochMilli()).hex();
            end = new End.Single(key);
            spent.add(entry(key, one.amount(), one.calledAt()));
        }
        uncommitted.add(call);
        open.put(call, new Open(one.amount(), one.calledAt(), true, end));
    }

    /// The result of a call was committed.
    void committed(String call) {
        Open one = open.get(call);
        uncommitted.remove(call);
        if (one == null)
            return;
        switch (one.end()) {
            case End.Total(long value, Set<String> taken) -> {
                giveBack(call);
                total = value;
                hasTotal = true;
                taken.forEach(this::endSingle);
            }
            case End.Single(String key) -> {
                giveBack(call);
                putSingle(key, one.amount());
            }
            case null -> {
                // It has another result than the one that was committed: the amount stays with the call.
            }
        }
    }

    /// Forgets what was spent, with the result of `call`: adds the places that it deletes.
    void forget(String call, List<BudgetPlace> gone) {
        if (hasTotal)
            gone.add(place);
        singles.keySet().forEach(key -> gone.add(entry(key, 0, calledAt).place()));
        hasTotal = false;
        total = 0;
        single = 0;
        singles.clear();
        uncommitted.add(call);
    }

    void restore(SpentBudget entry) {
        calledAt = entry.calledAt().isAfter(calledAt) ? entry.calledAt() : calledAt;
        String key = entry.call();
        if (key != null) {
            putSingle(key, entry.amount());
        } else {
            total = entry.amount();
            hasTotal = true;
        }
    }

    void restoreEnd(@Nullable String key) {
        if (key != null) {
            endSingle(key);
        } else {
            total = 0;
            hasTotal = false;
        }
    }

    private void putSingle(String key, long amount) {
        endSingle(key);
        singles.put(key, amount);
        single += amount;
    }

    private void endSingle(String key) {
        Long amount = singles.remove(key);
        if (amount != null)
            single -= amount;
    }

    private SpentBudget entry(@Nullable String key, long amount, Instant at) {
        return SpentBudget.at(place.beside(key), amount, at);
    }
}
