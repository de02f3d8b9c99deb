package dev.toolfleet.worker.pipeline;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.lane.LaneSlot;

/// Decides, once, what becomes of a call: its own thread and the watcher of an abandoned handler may both try.
final class FirstEnd {
    private static final Duration LOOK_EVERY = Duration.ofMillis(1);

    private final LaneSlot slot;
    private final Consumer<Outcome> publisher;
    private final AtomicBoolean decided = new AtomicBoolean();

    FirstEnd(LaneSlot slot, Consumer<Outcome> publisher) {
        this.slot = slot;
        this.publisher = publisher;
    }

    /// Publishes an outcome and lets the lane go on; false when the fate was decided before. The outcome is handed over
    /// first, so that results of an instance keep the order in which its calls ended. When making it throws, nothing is
    /// decided.
    boolean publish(Supplier<Outcome> outcome) {
        if (decided.get())
            return false;
        Outcome made = outcome.get();
        if (!decided.compareAndSet(false, true))
            return false;
        try {
            publisher.accept(made);
        } finally {
            slot.release();
        }
        return true;
    }

    /// Waits until the fate is decided, at most that long, and returns early when the thread is interrupted.
    void await(Duration atMost) {
        long until = System.nanoTime() + atMost.toNanos();
        while (!isDecided() && !Thread.currentThread().isInterrupted() && System.nanoTime() - until < 0)
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }

    boolean isDecided() {
        return decided.get();
    }

    /// Publishes nothing.
    void leave() {
        if (decided.compareAndSet(false, true))
            slot.release();
    }
}
