package dev.toolfleet.worker.identity;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.SpentBudget;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Calls beside each other, transactions in any order, and owners that die, against a plain count of what began.
class BudgetLedgerPropertyTest {
    private static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");
    private static final int RUNS = 2_000;
    private static final BudgetPlace TOTAL = new BudgetPlace("acme/b", SpentBudget.COST, null, null, "i1");

    private final Map<String, SpentBudget> journal = new HashMap<>();
    private final Map<String, List<SpentBudget>> intents = new LinkedHashMap<>();
    /// Results that are made and not committed, by call.
    private final Map<String, WrittenBudgets> made = new LinkedHashMap<>();
    private final Set<String> running = new HashSet<>();
    private final Map<String, Integer> spent = new HashMap<>();
    private BudgetLedger ledger = new BudgetLedger();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatBeganCountsOnceInWhateverOrderItIsCommitted(long seed) {
        Random random = new Random(seed);
        for (int run = 0; run < RUNS; run++) {
            clear();
            int limit = 1 + random.nextInt(12);
            for (int step = 0; step < 60; step++)
                step(random, "c" + step, limit);
            while (!made.isEmpty())
                commit(random);
            takeOver();
            assertThat(ledger.spent(TOTAL)).as("seed %s, run %s", seed, run).isEqualTo(sum())
                    .isLessThanOrEqualTo(limit);
        }
    }

    private void step(Random random, String call, int limit) {
        switch (random.nextInt(6)) {
            case 0, 1 -> start(call, 1 + random.nextInt(3), limit, random.nextInt(5) == 0);
            case 2 -> end(random);
            case 3, 4 -> commit(random);
            default -> {
                if (random.nextInt(4) == 0)
                    takeOver();
            }
        }
        assertThat(ledger.spent(TOTAL)).isEqualTo(sum()).isLessThanOrEqualTo(limit);
    }

    private void start(String call, int amount, int limit, boolean unnoted) {
        boolean room = sum() + amount <= limit;
        assertThat(ledger.spend(call, List.of(new BudgetSpending(TOTAL, amount, limit)), NOW) == null).isEqualTo(room);
        if (!room)
            return;
        if (unnoted) {
            ledger.giveBack(call);
            return;
        }
        intents.put(call, ledger.spentBy(call));
        ledger.began(call);
        ledger.giveBack(call);
        running.add(call);
        spent.put(call, amount);
    }

    private void end(Random random) {
        List<String> some = new ArrayList<>(running);
        if (some.isEmpty())
            return;
        Collections.sort(some);
        String call = some.get(random.nextInt(some.size()));
        running.remove(call);
        made.put(call, ledger.ended(call));
    }

    /// Any of the results: the order is the transaction loop's.
    private void commit(Random random) {
        if (made.isEmpty())
            return;
        String call = List.copyOf(made.keySet()).get(random.nextInt(made.size()));
        WrittenBudgets written = requireNonNull(made.remove(call));
        written.spent().forEach(entry -> journal.put(entry.key(), entry));
        written.gone().forEach(place -> journal.remove(place.key()));
        intents.remove(call);
        ledger.committed(call);
    }

    /// The owner dies. What had begun has an intent, ends as unknown, and what had ended is not committed.
    private void takeOver() {
        ledger = new BudgetLedger();
        journal.values().forEach(ledger::restore);
        intents.forEach((call, spends) -> ledger
                .restoreOpen(new CallIntent(call, "sha256:1", "t__x", 1, "w1", 1, NOW, "m1", null, null)
                        .spending(spends)));
        running.addAll(intents.keySet());
        made.clear();
    }

    private int sum() {
        return spent.values().stream().mapToInt(Integer::intValue).sum();
    }

    private void clear() {
        journal.clear();
        intents.clear();
        made.clear();
        running.clear();
        spent.clear();
        ledger = new BudgetLedger();
    }
}
