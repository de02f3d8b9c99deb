package dev.toolfleet.worker.execute;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.worker.assignment.Position;

/// Which handlers run right now, so that those of a partition, or all, can be interrupted. Call threads add and remove
/// their own; anyone may interrupt.
public final class RunningHandlers {
    private final Map<Position, Interruption> running = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    void add(Position position, Interruption interruption) {
        running.put(position, interruption);
    }

    void remove(Position position) {
        running.remove(position);
    }

    /// Interrupts the handlers of an assignment that has ended.
    public void revoke(int partition, long epoch) {
        running.forEach((position, interruption) -> {
            if (position.partition() == partition && position.epoch() == epoch) {
                interruption.interrupt(Interruption.Cause.REVOKED);
            }
        });
    }

    /// Whether no handler may start any more.
    boolean stopped() {
        return stopped;
    }

    /// Interrupts every handler, because the worker stops; none starts after this.
    public void stop() {
        stopped = true;
        running.values().forEach(interruption -> interruption.interrupt(Interruption.Cause.SHUTDOWN));
    }

    /// How many handlers run.
    public int count() {
        return running.size();
    }
}
