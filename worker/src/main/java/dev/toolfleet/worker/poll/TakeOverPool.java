package dev.toolfleet.worker.poll;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.IntConsumer;

import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes assigned partitions over, several side by side, off the poll thread.
///
/// **Contract.** The pool tries each partition until the take-over succeeds or the assignment ends. After a failure it
/// waits for a time that doubles, up to 5 s. A partition that does not answer delays another one for at most a second
/// ([TakeOverThreads]).
public final class TakeOverPool implements TakeOvers, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TakeOverPool.class);
    private static final long RETRY_MILLIS = 50;
    private static final long LONGEST_RETRY_MILLIS = 5_000;

    private record Assignment(int partition, long epoch) {}

    /// One try of an assignment's take-over.
    ///
    /// @param begun time at which the first try began
    private record Attempt(Assignment of, long begun, int number) {}

    private final TakeOver takeOver;
    private final IntConsumer follow;
    private final Adopter adopter;
    private final Set<Assignment> wanted = ConcurrentHashMap.newKeySet();
    private final Map<Assignment, Future<?>> running = new ConcurrentHashMap<>();
    private final ScheduledExecutorService threads;
    private final DoubleSupplier chance;

    /// @param follow starts to read the records that the partition's calls need, so that they come in while the rest is
    /// restored
    /// @param adopter takes the answer
    /// @param partitions the most that may be assigned
    public TakeOverPool(TakeOver takeOver, IntConsumer follow, Adopter adopter, int partitions) {
        this(takeOver, follow, adopter, new TakeOverThreads(partitions), Math::random);
    }

    /// @param threads run the take-overs; closed with this pool
    /// @param chance a random number from 0 to 1, so that workers that failed together do not try again together
    public TakeOverPool(TakeOver takeOver, IntConsumer follow, Adopter adopter, ScheduledExecutorService threads,
            DoubleSupplier chance) {
        this.chance = chance;
        this.threads = threads;
        this.takeOver = takeOver;
        this.follow = follow;
        this.adopter = adopter;
    }

    /// Takes a finished take-over.
    @FunctionalInterface
    public interface Adopter {
        /// The partition may start there.
        void adopt(int partition, long epoch, TakeOver.Restored restored);
    }

    @Override
    public void begin(int partition, long epoch) {
        Assignment assignment = new Assignment(partition, epoch);
        wanted.add(assignment);
        follow.accept(partition);
        attempt(new Attempt(assignment, System.nanoTime(), 1), 0);
    }

    /// Interrupts a running try, too: the answer that it waits for may never come.
    @Override
    public void cancel(int partition, long epoch) {
        Assignment assignment = new Assignment(partition, epoch);
        wanted.remove(assignment);
        stop(assignment);
    }

    private void attempt(Attempt attempt, long delay) {
        Assignment assignment = attempt.of();
        running.put(assignment, threads.schedule(() -> takeOver(attempt), delay, TimeUnit.MILLISECONDS));
        // The assignment was cancelled or taken over meanwhile.
        if (!wanted.contains(assignment))
            stop(assignment);
    }

    private void stop(Assignment assignment) {
        Future<?> attempt = running.remove(assignment);
        if (attempt != null)
            attempt.cancel(true);
    }

    private void takeOver(Attempt attempt) {
        Assignment assignment = attempt.of();
        try {
            if (!wanted.contains(assignment))
                return;
            TakeOver.Restored restored = takeOver.restore(assignment.partition());
            if (!wanted.remove(assignment))
                return;
            running.remove(assignment);
            LOG.atInfo().addKeyValue(LogKeys.PARTITION, assignment.partition())
                    .addKeyValue(LogKeys.EPOCH, assignment.epoch())
                    .addKeyValue(LogKeys.MILLIS, (System.nanoTime() - attempt.begun()) / 1_000_000)
                    .log("partition taken over");
            adopter.adopt(assignment.partition(), assignment.epoch(), restored);
        } catch (Throwable e) {
            again(attempt, e);
        }
    }

    private void again(Attempt failed, Throwable cause) {
        Assignment assignment = failed.of();
        if (!wanted.contains(assignment))
            return;
        if (cause instanceof KafkaException) {
            LOG.atWarn().addKeyValue(LogKeys.PARTITION, assignment.partition())
                    .addKeyValue(LogKeys.REASON, cause.toString()).log("take-over not complete, trying again");
        } else {
            LOG.atError().setCause(cause).addKeyValue(LogKeys.PARTITION, assignment.partition())
                    .log("take-over failed, trying again");
        }
        attempt(new Attempt(assignment, failed.begun(), failed.number() + 1), backoff(failed.number()));
    }

    /// Returns a random wait between half and all of a time that doubles with each failure.
    private long backoff(int failures) {
        long most = Math.min(LONGEST_RETRY_MILLIS, RETRY_MILLIS << Math.min(failures - 1, 10));
        return most / 2 + (long) (chance.getAsDouble() * (most - most / 2));
    }

    @Override
    public void close() {
        wanted.clear();
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(5, TimeUnit.SECONDS))
                LOG.atWarn().log("take-overs still running at the end of the worker");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
