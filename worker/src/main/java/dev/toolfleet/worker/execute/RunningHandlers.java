package dev.toolfleet.worker.execute;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

import dev.toolfleet.worker.assignment.Position;

/// Set of the handlers that run now, so that those of a partition, or all, can be interrupted. Call threads add and
/// remove their own; any thread may interrupt.
public final class RunningHandlers {
    /// Handler that runs.
    ///
    /// @param repeatable whether it may run again elsewhere
    /// @param instanceKey the instance of its call
    /// @param note by which it runs on although it may run again elsewhere
    /// @param ranLong returns true once it has run for long
    /// @param cancelled checks whether the call was cancelled, and if so interrupts
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

    /// Writes the notes of repeatable handlers that have run for long, because the assignment is about to move to
    /// another worker. So the move does not begin them anew. Must come before the last commit of the assignment. Does
    /// nothing while the worker stops: no repeatable handler runs on then.
    public void moving(int partition, long epoch) {
        running.forEach((position, call) -> {
            if (!draining && call.repeatable() && position.partition() == partition && position.epoch() == epoch
                    && call.ranLong().getAsBoolean())
                call.note().write();
        });
    }

    /// Interrupts the handlers that may run again on another worker and are not noted, because the assignment moves
    /// there. The others run on, and their outcome is handed over.
    public void revoke(int partition, long epoch) {
        running.forEach((position, call) -> {
            if (call.repeatable() && position.partition() == partition && position.epoch() == epoch
                    && !call.note().isWritten())
                call.interruption().interrupt(Interruption.Cause.REVOKED);
        });
    }

    /// Interrupts all handlers of an assignment that was lost.
    public void lose(int partition, long epoch) {
        running.forEach((position, call) -> {
            if (position.partition() == partition && position.epoch() == epoch)
                call.interruption().interrupt(Interruption.Cause.REVOKED);
        });
    }

    /// Interrupts the handlers of an instance's cancelled calls. The cancellation must be findable before.
    public void cancelled(String instanceKey) {
        running.values().forEach(call -> {
            if (call.instanceKey().equals(instanceKey))
                call.cancelled().run();
        });
    }

    /// True if the worker will stop.
    public boolean isDraining() {
        return draining;
    }

    /// True if no handler of this kind may start any more.
    boolean stopped(boolean repeatable) {
        return stopped || (draining && repeatable);
    }

    /// Interrupts the handlers that another worker may run again, because the worker will stop. None of these starts
    /// afterwards.
    public void drain() {
        draining = true;
        running.values().forEach(call -> {
            if (call.repeatable())
                call.interruption().interrupt(Interruption.Cause.SHUTDOWN);
        });
    }

    /// Interrupts every handler, because the worker stops. None starts afterwards.
    public void stop() {
        stopped = true;
        running.values().forEach(call -> call.interruption().interrupt(Interruption.Cause.SHUTDOWN));
    }

    /// Number of handlers that run.
    public int count() {
        return running.size();
    }
}
