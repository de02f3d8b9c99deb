package dev.toolfleet.worker.lane;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/// The queue of one instance: entries start in the order in which they came; neighbours that only read run beside each
/// other, every other one runs alone. Not thread-safe: [Lanes] changes a lane only inside its map's atomic operations.
final class Lane {
    private final Deque<LaneSlot> waiting = new ArrayDeque<>();
    private int running;
    private boolean exclusive;

    int waiting() {
        return waiting.size();
    }

    boolean isEmpty() {
        return running == 0 && waiting.isEmpty();
    }

    void add(LaneSlot slot) {
        waiting.add(slot);
    }

    void ended() {
        running--;
        exclusive = false;
    }

    /// Takes what may start now off the queue.
    void startable(Consumer<LaneSlot> start) {
        for (LaneSlot next = waiting.peek(); next != null && mayStart(next); next = waiting.peek()) {
            waiting.remove();
            running++;
            exclusive = !next.readOnly();
            start.accept(next);
        }
    }

    private boolean mayStart(LaneSlot next) {
        return running == 0 || (next.readOnly() && !exclusive);
    }

    /// Forgets what has not started and returns it one by one.
    @Nullable
    LaneSlot drop() {
        return waiting.poll();
    }
}
