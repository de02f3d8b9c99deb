package dev.toolfleet.worker.identity;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.toolfleet.wire.BudgetPlace;
import org.jspecify.annotations.Nullable;

/// Amounts of agents and users over all partitions, as the ledgers of a worker need them (`docs/decisions/0106`).
///
/// **Contract.** Of the worker's own partitions it has the exact amounts, calls included that are about to start; of all
/// others what `tool.budget` has.
///
/// **Threads.** Thread-safe. The lock of [#alone] comes before that of any ledger.
public final class FleetSpending implements BudgetLedger.Fleet {
    private final FleetBudgets view;
    private final CatchUp topic;
    private final ReentrantLock lock = new ReentrantLock();
    /// Replaced as a whole. Otherwise: a partition that comes meanwhile counts twice, and a call is refused what is left.
    private volatile Map<Integer, BudgetLedger> own = Map.of();

    /// Topic that can be read to its end.
    @FunctionalInterface
    public interface CatchUp {
        /// Waits until the view has all records that were written before this call.
        ///
        /// @return false if they cannot be read now
        boolean caughtUp() throws InterruptedException;
    }

    /// Makes the amounts of a worker without partitions.
    public FleetSpending(FleetBudgets view, CatchUp topic) {
        this.view = view;
        this.topic = topic;
    }

    @Override
    public boolean caughtUp() throws InterruptedException {
        return topic.caughtUp();
    }

    @Override
    public long spentElsewhere(BudgetLedger ledger, BudgetPlace total) {
        Map<Integer, BudgetLedger> mine = own;
        return view.spentOutside(mine.keySet(), total) + mine.values().stream().filter(each -> each != ledger)
                .mapToLong(each -> each.spent(total)).sum();
    }

    @Override
    public <T extends @Nullable Object> T alone(Supplier<T> spending) {
        lock.lock();
        try {
            return spending.get();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public synchronized void opened(int partition, BudgetLedger ledger) {
        Map<Integer, BudgetLedger> now = new HashMap<>(own);
        now.put(partition, ledger);
        own = Map.copyOf(now);
    }

    @Override
    public synchronized void closed(int partition, BudgetLedger ledger) {
        Map<Integer, BudgetLedger> now = new HashMap<>(own);
        now.remove(partition, ledger);
        own = Map.copyOf(now);
    }
}
