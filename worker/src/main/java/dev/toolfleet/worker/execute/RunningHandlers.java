package dev.toolfleet.worker.execute;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.worker.assignment.Position;

/// Which handlers run right now, so that those of a partition, or all, can be interrupted. Call threads add and remove
/// their own; anyone may interrupt.
public final class RunningHandlers {
    private record Running(Interruption interruption, boolean repeatable) {}

    private final Map<Position, Running> running = new ConcurrentHashMap<>();
    private volatile boolean draining;
    private volatile boolean stopped;

    void add(Position position, Interruption interruption, boolean repeatable) {
        running.put(position, new Running(interruption, repeatable));
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
