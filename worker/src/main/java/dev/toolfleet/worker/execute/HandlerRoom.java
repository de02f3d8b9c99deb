package dev.toolfleet.worker.execute;

import java.time.InstantSource;

import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.telemetry.WorkerMeters;

/// The parts that run handlers: their deadlines, those that run, and those that ignore their interrupt.
public final class HandlerRoom implements AutoCloseable {
    private final DeadlineLoop deadlines = new DeadlineLoop();
    private final RunningHandlers running = new RunningHandlers();
    private final AbandonedHandlers abandoned;
    private final Ownership ownership;
    private final InstantSource clock;

    /// Makes them; no handler runs yet.
    public HandlerRoom(Ownership ownership, InstantSource clock, WorkerMeters meters) {
        this.abandoned = new AbandonedHandlers(meters);
        this.ownership = ownership;
        this.clock = clock;
    }

    /// Returns the thread that keeps deadlines.
    public DeadlineLoop deadlines() {
        return deadlines;
    }

    /// Returns the handlers that run.
    public RunningHandlers running() {
        return running;
    }

    /// Returns the handlers that ignore their interrupt.
    public AbandonedHandlers abandoned() {
        return abandoned;
    }

    /// Makes the part that runs handlers.
    public HandlerExecutor executor(CancelReplies cancelling) {
        return new HandlerExecutor(deadlines, running, abandoned, ownership, cancelling, clock, HandlerExecutor.GRACE,
                System::nanoTime);
    }

    /// Makes the part in which calls wait.
    public CallWaits waits(CancelReplies cancelling) {
        return new CallWaits(running, ownership, cancelling);
    }

    @Override
    public void close() {
        deadlines.close();
    }
}
