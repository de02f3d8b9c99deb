package dev.toolfleet.worker.execute;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

import dev.toolfleet.worker.assignment.Position;

/// Which handlers run right now, so that those of a partition, or all, can be interrupted. Call threads add and remove
/// their own; anyone may interrupt.
public final class RunningHandlers {
    /// A handler that runs.
    ///
    /// @param repeatable whether it may run again elsewhere
    /// @param instanceKey whose call it is
    /// @param note by which it runs on although it may run again elsewhere
    /// @param ranLong whether it has run for long
    /// @param cancelled asks whether the call was cancelled, and if so interrupts
    record Running(Interruption interruption, boolean repeatable, String instanceKey, MoveNote note,
            BooleanSupplier ranLong,
            Runnable cancelled) {}

    private final Map<Position, Running> running = new ConcurrentHashMap<>();
    private volatile boolean draining;
    private volatile boolean stopped;

    void add(Position position, Running handler) {
        running.put(position, handler);
    }

    void remove(Position position) {
        running.remove(position);
    }

    /// The assignment is about to move to another worker. Handlers that may run again there and have run for long are
    /// noted, so that the move does not begin them anew. Comes before the last commit of the assignment. Not while the
    /// worker stops: nothing that may run again runs on then.
    public void moving(int partition, long epoch) {
        running.forEach((position, call) -> {
            if (!draining && call.repeatable() && position.partition() == partition && position.epoch() == epoch
                    && call.ranLong().getAsBoolean())
                call.note().write();
        });
    }

    /// The assignment moves to another worker: interrupts the handlers that may run again there and are not noted. The
    /// others run on, and their outcome is handed over.
    public void revoke(int partition, long epoch) {
        running.forEach((position, call) -> {
            if (call.repeatable() && position.partition() == partition && position.epoch() == epoch
                    && !call.note().isWritten())
                call.interruption().interrupt(Interruption.Cause.REVOKED);
        });
    }

    /// The assignment was lost: interrupts all of its handlers.
    public void lose(int partition, long epoch) {
        running.forEach((position, call) -> {
            if (position.partition() == partition && position.epoch() == epoch)
                call.interruption().interrupt(Interruption.Cause.REVOKED);
        });
    }

    /// A call of this instance was cancelled, which can be found by now: interrupts the handlers of those that are meant.
    public void cancelled(String instanceKey) {
        running.values().forEach(call -> {
            if (call.instanceKey().equals(instanceKey))
                call.cancelled().run();
        });
    }

    /// Whether the worker will stop.
    public boolean isDraining() {
        return draining;
    }

    /// Whether no handler of this kind may start any more.
    boolean stopped(boolean repeatable) {
        return stopped || (draining && repeatable);
    }

    /// The worker will stop: interrupts the handlers that another worker may run again, and starts none of them after
    /// this.
    public void drain() {
        draining = true;
        running.values().forEach(call -> {
            if (call.repeatable())
                call.interruption().interrupt(Interruption.Cause.SHUTDOWN);
        });
    }

    /// Interrupts every handler, because the worker stops; none starts after this.
    public void stop() {
        stopped = true;
        running.values().forEach(call -> call.interruption().interrupt(Interruption.Cause.SHUTDOWN));
    }

    /// How many handlers run.
    public int count() {
        return running.size();
    }
}
