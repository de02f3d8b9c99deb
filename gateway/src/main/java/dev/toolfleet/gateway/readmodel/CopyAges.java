package dev.toolfleet.gateway.readmodel;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// Ends of `tool.call`, sampled every [#EVERY], by which copies are known to be young.
///
/// **Contract.** A copy is young if it holds every call that was appended more than [#LONGEST] ago. Workers recognise
/// the repetition of a younger call, as long as `worker.dedupe.window` is not shorter. Otherwise: a copy that has stood
/// still for hours finds no call with a key, the call is sent again, and it runs twice.
///
/// **Threads.** One thread samples; [#isLow] may be called from any.
///
/// **Why.** Times of records are the broker's, so no clock is compared with another (decision 57): the times of samples
/// are this process's own.
final class CopyAges implements OwnCopies.Age, AutoCloseable {
    /// The age beyond which a call must be in a copy.
    static final Duration LONGEST = Duration.ofSeconds(60);
    static final Duration EVERY = Duration.ofSeconds(5);

    private final Ends ends;
    private final LongSupplier nanoTime;
    private final Deque<Sample> samples = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final ScheduledExecutorService thread = new ScheduledThreadPoolExecutor(1,
            Thread.ofVirtual().name("copy-ages").factory());

    /// Reads the ends of partitions.
    @FunctionalInterface
    interface Ends {
        /// Returns the offset behind the last record of each partition; empty when the broker does not answer.
        Optional<Map<Integer, Long>> now();
    }

    /// @param at before the broker was asked
    private record Sample(long at, Map<Integer, Long> ends) {}

    /// @param nanoTime as [System#nanoTime]
    CopyAges(Ends ends, LongSupplier nanoTime) {
        this.ends = ends;
        this.nanoTime = nanoTime;
    }

    /// Begins to sample.
    void start() {
        var _ = thread.scheduleWithFixedDelay(this::sample, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    void sample() {
        long at = nanoTime.getAsLong();
        Optional<Map<Integer, Long>> now = ends.now();
        lock.lock();
        try {
            now.ifPresent(read -> samples.add(new Sample(at, read)));
            removeOld();
        } finally {
            lock.unlock();
        }
    }

    private void removeOld() {
        long oldest = nanoTime.getAsLong() - LONGEST.toNanos();
        Iterator<Sample> all = samples.iterator();
        while (all.hasNext() && all.next().at() - oldest < 0)
            all.remove();
    }

    @Override
    public boolean isLow(int partition, long position) {
        lock.lock();
        try {
            removeOld();
            return samples.stream().anyMatch(sample -> {
                Long end = sample.ends().get(partition);
                return end != null && position >= end;
            });
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
