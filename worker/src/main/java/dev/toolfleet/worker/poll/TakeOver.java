package dev.toolfleet.worker.poll;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes assigned partitions over, off the poll thread: waits for their stable committed offset and for the state that
/// their calls need. Tries until it succeeds or the assignment ends.
public final class TakeOver implements PollLoop.TakeOvers, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);
    private static final long RETRY_MILLIS = 20;

    private record Wanted(int partition, long epoch) {}

    private final GroupOffsets offsets;
    private final IntFunction<CompletableFuture<Void>> follow;
    private final Adopter adopter;
    private final Set<Wanted> wanted = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService thread;

    /// @param follow starts to read the partition's state and is done at its end
    /// @param adopter takes the answer
    public TakeOver(GroupOffsets offsets, IntFunction<CompletableFuture<Void>> follow, Adopter adopter) {
        this(offsets, follow, adopter, Executors
                .newSingleThreadScheduledExecutor(Thread.ofPlatform().name("take-over").daemon().factory()));
    }

    /// @param thread its one thread, which it ends
    public TakeOver(GroupOffsets offsets, IntFunction<CompletableFuture<Void>> follow, Adopter adopter,
            ScheduledExecutorService thread) {
        this.thread = thread;
        this.offsets = offsets;
        this.follow = follow;
        this.adopter = adopter;
    }

    /// Takes a finished take-over.
    @FunctionalInterface
    public interface Adopter {
        /// The partition may start there.
        void adopt(int partition, long epoch, DoneOffsets start);
    }

    @Override
    public void begin(int partition, long epoch) {
        wanted.add(new Wanted(partition, epoch));
        CompletableFuture<Void> state = follow.apply(partition);
        thread.execute(() -> takeOver(new Wanted(partition, epoch), state));
    }

    @Override
    public void cancel(int partition, long epoch) {
        wanted.remove(new Wanted(partition, epoch));
    }

    /// One try; what is not ready goes to the end of the queue, so that it holds up no other partition.
    private void takeOver(Wanted assignment, CompletableFuture<Void> state) {
        if (!wanted.contains(assignment))
            return;
        try {
            if (state.isCompletedExceptionally()) {
                again(assignment, follow.apply(assignment.partition()));
            } else if (!state.isDone()) {
                again(assignment, state);
            } else {
                adopt(assignment);
            }
        } catch (Throwable e) {
            LOG.atWarn().addKeyValue(LogKeys.PARTITION, assignment.partition())
                    .addKeyValue(LogKeys.REASON, e.toString()).log("take-over not complete, trying again");
            again(assignment, state);
        }
    }

    private void adopt(Wanted assignment) {
        Map<Integer, DoneOffsets> committed = offsets.committed(Set.of(assignment.partition()));
        DoneOffsets start = committed.get(assignment.partition());
        if (start == null)
            start = DoneOffsets.from(offsets.beginning(assignment.partition()));
        if (wanted.remove(assignment))
            adopter.adopt(assignment.partition(), assignment.epoch(), start);
    }

    private void again(Wanted assignment, CompletableFuture<Void> state) {
        var _ = thread.schedule(() -> takeOver(assignment, state), RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        wanted.clear();
        thread.shutdownNow();
    }
}
