package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.wire.BudgetPlace;
import dev.toolfleet.wire.BudgetPlace.Day;
import dev.toolfleet.wire.PublishedBudget;
import dev.toolfleet.wire.SpentBudget;
import dev.toolfleet.wire.WireCodec;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class FleetSpendingTest {
    private static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");
    private static final BudgetPlace ANN = new BudgetPlace("acme/mails", SpentBudget.CALLS, null, null, null,
            new Day(Day.Per.USER, LocalDate.of(2026, 11, 21), "ann"));

    private final FleetBudgets view = new FleetBudgets();
    private final FleetSpending fleet = new FleetSpending(view, () -> true);

    @Test
    void aPartitionSpendsWhatAllOthersLeave() {
        published(7, 3);
        BudgetLedger first = opened(0);
        BudgetLedger second = opened(1);

        assertThat(spend(first, "a", 5)).isTrue();
        assertThat(spend(second, "b", 5)).isTrue();
        assertThat(spend(second, "c", 5)).isFalse();
        assertThat(requireNonNull(first.shortage("d", List.of(new BudgetSpending(ANN, 1, 5)))).left()).isZero();
    }

    @Test
    void aLimitThatOthersHaveExceededLeavesNothing() {
        published(7, 8);

        assertThat(requireNonNull(opened(0).spend("a", List.of(new BudgetSpending(ANN, 1, 5)), NOW)).left()).isZero();
    }

    @Test
    void ofTheWorkersOwnPartitionsTheLedgerCountsAndNotTheTopic() {
        published(0, 5);
        BudgetLedger own = opened(0);
        assertThat(spend(own, "a", 5)).as("the ledger has nothing").isTrue();

        fleet.closed(0, own);
        assertThat(fleet.spentElsewhere(opened(1), ANN)).as("of another worker now").isEqualTo(5);
    }

    @Test
    void aPartitionThatCameAnewStaysWhenItsEarlierAssignmentEnds() {
        BudgetLedger former = opened(0);
        BudgetLedger now = opened(0);
        fleet.closed(0, former);
        spend(now, "a", 5);

        assertThat(fleet.spentElsewhere(opened(1), ANN)).isEqualTo(1);
    }

    @Test
    void partitionsComeAndGoWithTheirAssignments() {
        PartitionStates states = new PartitionStates();
        states.spendingFrom(fleet);
        PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(10), 2), () -> 0);
        states.opened(0, 1, state);
        published(0, 5);
        assertThat(spend(state.budgets(), "a", 1)).isTrue();
        assertThat(spend(opened(1), "b", 1)).isFalse();

        states.closed(0, 1);
        assertThat(fleet.spentElsewhere(opened(1), ANN)).isEqualTo(5);
    }

    @Test
    void partitionsOfAWorkerThatSpendAtOnceNeverExceedTheLimit() throws InterruptedException {
        List<BudgetLedger> ledgers = List.of(opened(0), opened(1), opened(2));
        CountDownLatch start = new CountDownLatch(1);
        AtomicInteger spent = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < 60; n++) {
            String call = "c" + n;
            BudgetLedger ledger = ledgers.get(n % ledgers.size());
            threads.add(Thread.startVirtualThread(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                if (spend(ledger, call, 20))
                    spent.incrementAndGet();
            }));
        }
        start.countDown();
        for (Thread thread : threads)
            thread.join();

        assertThat(spent).hasValue(20);
    }

    @Test
    void amountsOfAnInstanceAreThoseOfItsPartitionAlone() {
        BudgetPlace instance = new BudgetPlace("acme/mails", SpentBudget.CALLS, null, null, "i1");
        BudgetLedger first = opened(0);
        BudgetLedger second = opened(1);
        assertThat(first.spend("a", List.of(new BudgetSpending(instance, 1, 1)), NOW)).isNull();

        assertThat(second.spend("b", List.of(new BudgetSpending(instance, 1, 1)), NOW)).isNull();
    }

    private BudgetLedger opened(int partition) {
        BudgetLedger ledger = new BudgetLedger();
        ledger.knownFrom(fleet);
        fleet.opened(partition, ledger);
        return ledger;
    }

    private static boolean spend(BudgetLedger ledger, String call, long limit) {
        return ledger.spend(call, List.of(new BudgetSpending(ANN, 1, limit)), NOW) == null;
    }

    private void published(int partition, long amount) {
        PublishedBudget record = PublishedBudget.of(partition, SpentBudget.at(ANN, amount, NOW), List.of());
        view.apply(0, record.key(), WireCodec.of(PublishedBudget.class).write(record), 0);
    }
}
