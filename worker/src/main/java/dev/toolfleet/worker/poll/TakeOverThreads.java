package dev.toolfleet.worker.poll;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Threads of take-overs, one for each partition that may be assigned. Four work side by side. A fifth waits up to a
/// second for its turn, and then works beside them.
///
/// **Why.** Four keep the load on the brokers low when many partitions are assigned at once. A partition without a
/// leader, or with a transaction that stays open, holds its turn for seconds in each try. Otherwise: four such
/// partitions hold up every other one.
final class TakeOverThreads extends ScheduledThreadPoolExecutor {
    private static final int SIDE_BY_SIDE = 4;
    private static final long LONGEST_WAIT_MILLIS = 1_000;
    private static final long IDLE_SECONDS = 30;

    private final Semaphore turns = new Semaphore(SIDE_BY_SIDE);
    private final Set<Thread> inTurn = ConcurrentHashMap.newKeySet();

    /// @param partitions the most that may be assigned
    TakeOverThreads(int partitions) {
        super(Math.max(1, partitions), Thread.ofPlatform().name("take-over-", 0).daemon().factory());
        setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        allowCoreThreadTimeOut(true);
    }

    @Override
    protected void beforeExecute(Thread thread, Runnable work) {
        super.beforeExecute(thread, work);
        try {
            if (turns.tryAcquire(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS))
                inTurn.add(thread);
        } catch (InterruptedException e) {
            thread.interrupt();
        }
    }

    @Override
    protected void afterExecute(Runnable work, Throwable thrown) {
        super.afterExecute(work, thrown);
        if (inTurn.remove(Thread.currentThread()))
            turns.release();
    }
}
