package dev.toolfleet.worker.execute;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.worker.assignment.Position;

/// Which handlers run right now, so that those of a partition, or all, can be interrupted. Call threads add and remove
/// their own; anyone may interrupt.
public final class RunningHandlers {
    /// A handler that runs.
    ///
    /// @param repeatable whether it may run again elsewhere
    /// @param instanceKey whose call it is
    /// @param cancelled asks whether the call was cancelled, and if so interrupts
    record Running(Interruption interruption, boolean repeatable, String instanceKey, Runnable cancelled) {}

    private final Map<Position, Running> running = new ConcurrentHashMap<>();
    private volatile boolean draining;
    private volatile boolean stopped;

    void add(Position position, Running handler) {
        running.put(position, handler);
    }

    void remove(Position position) {
        running.remove(position);
    }

    /// The assignment moves to another worker: interrupts the handlers that may run again there. The others run on, and
    /// their outcome is handed over.
    public void revoke(int partition, long epoch) {
        running.forEach((position, call) -> {
            if (call.repeatable() && position.partition() == partition && position.epoch() == epoch)
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
