package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Supplier;

import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.SpentBudget;
import org.jspecify.annotations.Nullable;

/// Ledger of what the instances and turns of a partition have spent of budgets (`docs/decisions/0104`).
///
/// **Contract.** A call spends of all its budgets or of none, before its handler starts, and once for each, however often
/// it is started. What it has spent counts until it is given back, which is possible only before its handler begins. It is
/// on the journal with the call's intent, and from the call's first result on with that result. The next owner of the
/// partition restores it before its first call. Amounts of a turn that had no call for [#TURN_KEPT] are deleted, those
/// of a day that is over for as long, and those of an instance that had none for [#INSTANCE_KEPT]. Amounts of agents and users are those of this partition; what other partitions have
/// spent comes from [Fleet].
///
/// **Threads.** Thread-safe: the take-over restores, call threads spend and end, the transaction loop reports commits. No
/// method but [#caughtUp] waits. The fleet's lock comes before the ledger's.
public final class BudgetLedger {
    /// The time for which the amounts of a turn are kept after its newest call.
    public static final Duration TURN_KEPT = Duration.ofDays(1);
    /// The time for which the amounts of an instance are kept after its newest call.
    public static final Duration INSTANCE_KEPT = Duration.ofDays(30);
    /// The most instances, turns and days each that are deleted with one result.
    private static final int MOST_FORGOTTEN = 8;
    /// The most that are looked at with one result and are held by a call.
    private static final int MOST_HELD = 32;

    /// In the order of their newest calls, as the others.
    private final SequencedMap<BudgetPlace, BudgetAmount> instances = new LinkedHashMap<>();
    private final SequencedMap<BudgetPlace, BudgetAmount> turns = new LinkedHashMap<>();
    /// Amounts of agents and users, by day.
    private final SequencedMap<BudgetPlace, BudgetAmount> days = new LinkedHashMap<>();
    /// Empty in fleets without budgets, where no call pays for a digest of its name.
    private final Map<String, Set<BudgetPlace>> byCall = new HashMap<>();
    private final Map<String, Ended> ended = new HashMap<>();
    private Instant newest = Instant.EPOCH;
    private volatile Fleet fleet = Fleet.NONE;

    BudgetLedger() {}

    /// Amounts of agents and users in other partitions.
    public interface Fleet {
        /// Knows no other partition.
        Fleet NONE = new Fleet() {
            @Override
            public boolean caughtUp() {
                return true;
            }

            @Override
            public long spentElsewhere(BudgetLedger ledger, BudgetPlace total) {
                return 0;
            }

            @Override
            public <T extends @Nullable Object> T alone(Supplier<T> spending) {
                return spending.get();
            }

            @Override
            public void opened(int partition, BudgetLedger ledger) {}

            @Override
            public void closed(int partition, BudgetLedger ledger) {}
        };

        /// Waits until every amount is known that was committed before this call.
        ///
        /// @return false if they cannot be read now
        boolean caughtUp() throws InterruptedException;

        /// Returns what partitions other than that of a ledger have spent.
        long spentElsewhere(BudgetLedger ledger, BudgetPlace total);

        /// Runs `spending` while no other call of this worker spends of a budget of an agent or user.
        <T extends @Nullable Object> T alone(Supplier<T> spending);

        /// Adds a partition of this worker.
        void opened(int partition, BudgetLedger ledger);

        /// Removes a partition.
        void closed(int partition, BudgetLedger ledger);
    }

    /// Sets the source of what other partitions have spent.
    void knownFrom(Fleet source) {
        fleet = source;
    }

    /// Call whose result was made.
    ///
    /// @param forgotten instances, turns and days that its result deletes
    private record Ended(WrittenBudgets written, List<BudgetPlace> forgotten) {}

    /// Waits until the amounts of agents and users in other partitions are known that were committed before this call.
    ///
    /// @return false if they cannot be read now
    public boolean caughtUp() throws InterruptedException {
        return fleet.caughtUp();
    }

    private static boolean isOfFleet(List<BudgetSpending> wanted) {
        return wanted.stream().anyMatch(each -> each.total().day() != null);
    }

    /// Returns the first budget that has too little left for a call; null if all have enough. A call has spent
    /// once of a budget, however often it is started.
    ///
    /// @param noted the name under which the call's starts are noted
    public BudgetSpending.@Nullable Shortage shortage(String noted, List<BudgetSpending> wanted) {
        return shortHere(id(noted), measured(wanted));
    }

    /// Spends for a call that is about to start. Returns the first budget that has too little left, and then spends
    /// nothing; null if the call may start.
    ///
    /// @param at the time by the worker's clock
    public BudgetSpending.@Nullable Shortage spend(String noted, List<BudgetSpending> wanted, Instant at) {
        return isOfFleet(wanted)
                ? fleet.<BudgetSpending.@Nullable Shortage>alone(() -> spendHere(id(noted), measured(wanted), at))
                : spendHere(id(noted), measured(wanted), at);
    }

    /// Budget as this partition alone may spend of it.
    ///
    /// @param limit the amount that other partitions leave; negative if they have exceeded the limit
    private record Measured(BudgetSpending wanted, long limit) {}

    private List<Measured> measured(List<BudgetSpending> wanted) {
        return wanted.stream().map(each -> new Measured(each, each.total().day() == null
                ? each.limit()
                : each.limit() - fleet.spentElsewhere(this, each.total()))).toList();
    }

    private synchronized BudgetSpending.@Nullable Shortage shortHere(String call, List<Measured> wanted) {
        for (Measured each : wanted) {
            BudgetAmount amount = find(each.wanted().total());
            if (amount != null && amount.isSpentBy(call))
                continue;
            long left = each.limit() - (amount == null ? 0 : amount.spent());
            if (each.wanted().amount() > left)
                return new BudgetSpending.Shortage(each.wanted(), Math.max(0, left));
        }
        return null;
    }

    private synchronized BudgetSpending.@Nullable Shortage spendHere(String call, List<Measured> wanted,
            Instant at) {
        BudgetSpending.Shortage shortage = shortHere(call, wanted);
        if (shortage != null)
            return shortage;
        for (Measured each : wanted) {
            BudgetPlace total = each.wanted().total();
            BudgetAmount amount = newest(total, at);
            if (!amount.isSpentBy(call))
                spent(total, amount, call, each.wanted().amount(), at, false);
        }
        return null;
    }

    private void spent(BudgetPlace total, BudgetAmount of, String call, long amount, Instant calledAt,
            boolean begun) {
        of.spend(call, amount, calledAt, begun);
        byCall.computeIfAbsent(call, _ -> new LinkedHashSet<>()).add(total);
    }

    /// Notes that the handler of a call begins: what it has spent is spent. Returns true if it had not begun before.
    public synchronized boolean began(String noted) {
        if (byCall.isEmpty())
            return false;
        String call = id(noted);
        boolean first = false;
        for (BudgetPlace place : places(call))
            first |= amount(place).began(call);
        return first;
    }

    /// Gives back what a call has spent whose handler has not begun. What an earlier owner began stays spent.
    public synchronized void giveBack(String noted) {
        if (byCall.isEmpty())
            return;
        String call = id(noted);
        Set<BudgetPlace> places = byCall.get(call);
        if (places == null || ended.containsKey(call))
            return;
        places.removeIf(place -> {
            BudgetAmount amount = amount(place);
            if (amount.hasBegun(call))
                return false;
            amount.giveBack(call);
            dropEmpty(place, amount);
            return true;
        });
        if (places.isEmpty())
            byCall.remove(call);
    }

    /// Gives back what a call has spent at an earlier owner that handed it over before its handler began. It spends anew
    /// when it is started.
    public synchronized void neverBegan(String noted) {
        if (!ended.containsKey(id(noted)))
            restoreClosed(noted);
    }

    /// Returns what a call without a committed result has spent, for its intent.
    public synchronized List<SpentBudget> spentBy(String noted) {
        if (byCall.isEmpty())
            return List.of();
        String call = id(noted);
        return places(call).stream().map(place -> amount(place).of(call)).filter(Objects::nonNull).toList();
    }

    /// Returns the entries that belong into the transaction of a call's first result. The same at each call of this
    /// method, until [#committed].
    public synchronized WrittenBudgets ended(String noted) {
        if (byCall.isEmpty())
            return WrittenBudgets.NOTHING;
        String call = id(noted);
        Set<BudgetPlace> places = byCall.get(call);
        if (places == null)
            return WrittenBudgets.NOTHING;
        Ended known = ended.get(call);
        if (known != null)
            return known.written();
        List<SpentBudget> spent = new ArrayList<>();
        List<BudgetPlace> gone = new ArrayList<>();
        places.forEach(place -> amount(place).ended(call, spent, gone));
        List<BudgetPlace> forgotten = forget(call, gone);
        Ended now = new Ended(new WrittenBudgets(spent, gone), forgotten);
        ended.put(call, now);
        return now.written();
    }

    /// Deletes instances, turns and days that are over, as many as one result takes.
    private List<BudgetPlace> forget(String call, List<BudgetPlace> gone) {
        List<BudgetPlace> forgotten = new ArrayList<>();
        forget(instances, call, gone, forgotten);
        forget(turns, call, gone, forgotten);
        forget(days, call, gone, forgotten);
        return forgotten;
    }

    /// An amount that a call still holds goes to the end. Otherwise: an intent whose call is gone stays open for ever, and
    /// nothing behind it is deleted.
    private void forget(SequencedMap<BudgetPlace, BudgetAmount> from, String call, List<BudgetPlace> gone,
            List<BudgetPlace> forgotten) {
        int most = forgotten.size() + MOST_FORGOTTEN;
        Map<BudgetPlace, BudgetAmount> held = new LinkedHashMap<>();
        for (Map.Entry<BudgetPlace, BudgetAmount> each : from.entrySet()) {
            BudgetAmount amount = each.getValue();
            if (forgotten.size() == most || held.size() == MOST_HELD || !kept(each.getKey(), amount).isBefore(newest))
                break;
            if (amount.isIdle()) {
                amount.forget(call, gone);
                forgotten.add(each.getKey());
            } else {
                held.put(each.getKey(), amount);
            }
        }
        held.forEach(from::putLast);
    }

    /// Returns the end of the time for which an amount is kept. A call of a day may start on the next one, when a person
    /// has approved it.
    private static Instant kept(BudgetPlace total, BudgetAmount amount) {
        BudgetPlace.Day day = total.day();
        if (day != null)
            return day.date().plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant().plus(TURN_KEPT);
        return amount.calledAt().plus(total.turn() == null ? INSTANCE_KEPT : TURN_KEPT);
    }

    /// Notes that the first result of a call was committed, with the entries of [#ended].
    public synchronized void committed(String noted) {
        if (ended.isEmpty())
            return;
        String call = id(noted);
        Ended known = ended.remove(call);
        if (known == null)
            return;
        Set<BudgetPlace> places = new LinkedHashSet<>(known.forgotten());
        Set<BudgetPlace> own = byCall.remove(call);
        if (own != null)
            places.addAll(own);
        for (BudgetPlace place : places) {
            BudgetAmount amount = amount(place);
            amount.committed(call);
            dropEmpty(place, amount);
        }
    }

    /// Restores an entry of the journal.
    public synchronized void restore(SpentBudget entry) {
        newest(entry.place().total(), entry.calledAt()).restore(entry);
    }

    /// Restores the end of an entry.
    public synchronized void restoreEnd(BudgetPlace place) {
        BudgetPlace total = place.total();
        BudgetAmount amount = find(total);
        if (amount == null)
            return;
        amount.restoreEnd(place.call());
        dropEmpty(total, amount);
    }

    /// Restores what a call has spent that an earlier owner began.
    public synchronized void restoreOpen(CallIntent intent) {
        restoreClosed(intent.identity());
        for (SpentBudget each : intent.spent())
            spent(each.place(), newest(each.place(), each.calledAt()), id(intent.identity()), each.amount(),
                    each.calledAt(), true);
    }

    /// Restores the end of an intent: what its call has spent has an entry of its own, or was given back.
    public synchronized void restoreClosed(String noted) {
        String call = id(noted);
        Set<BudgetPlace> places = byCall.remove(call);
        if (places == null)
            return;
        for (BudgetPlace place : places) {
            BudgetAmount amount = amount(place);
            amount.giveBack(call);
            dropEmpty(place, amount);
        }
    }

    /// Returns what has been spent of a budget.
    public synchronized long spent(BudgetPlace total) {
        BudgetAmount amount = find(total);
        return amount == null ? 0 : amount.spent();
    }

    /// Number of amounts that are known.
    public synchronized int size() {
        return instances.size() + turns.size() + days.size();
    }

    private static String id(String noted) {
        return Digest128.of(noted).hex();
    }

    private SequencedMap<BudgetPlace, BudgetAmount> map(BudgetPlace total) {
        if (total.day() != null)
            return days;
        return total.turn() == null ? instances : turns;
    }

    private Set<BudgetPlace> places(String call) {
        return byCall.getOrDefault(call, Set.of());
    }

    private @Nullable BudgetAmount find(BudgetPlace total) {
        return map(total).get(total);
    }

    private BudgetAmount amount(BudgetPlace total) {
        return Objects.requireNonNull(find(total), "an amount that a call holds is kept");
    }

    private BudgetAmount newest(BudgetPlace total, Instant calledAt) {
        newest = calledAt.isAfter(newest) ? calledAt : newest;
        SequencedMap<BudgetPlace, BudgetAmount> all = map(total);
        BudgetAmount known = all.remove(total);
        BudgetAmount amount = known == null ? new BudgetAmount(total) : known;
        all.putLast(total, amount);
        return amount;
    }

    private void dropEmpty(BudgetPlace total, BudgetAmount amount) {
        if (amount.isEmpty())
            map(total).remove(total);
    }
}
