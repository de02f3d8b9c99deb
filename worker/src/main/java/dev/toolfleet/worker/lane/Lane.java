package dev.toolfleet.worker.lane;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/// Queue of calls of one instance.
///
/// **Contract.** Calls start in the order in which they came. Neighbours that only read run side by side; every other
/// call runs alone.
///
/// **Threads.** Not thread-safe: [Lanes] changes a lane only inside its map's atomic operations.
final class Lane {
    private final Deque<LaneSlot> waiting = new ArrayDeque<>();
    private final List<LaneSlot> running = new ArrayList<>(1);
    private final List<LaneSlot> passed = new ArrayList<>(0);
    private boolean exclusive;
    private long movedAt;

    /// @param now by a clock that never goes back, as all times here
    Lane(long now) {
        movedAt = now;
    }

    /// Number of calls that hold the lane.
    int running() {
        return running.size();
    }

    /// Returns the time at which a call of it last started or ended, or at which it was made.
    long movedAt() {
        return movedAt;
    }

    int waiting() {
        return waiting.size();
    }

    boolean isEmpty() {
        return running.isEmpty() && waiting.isEmpty() && passed.isEmpty();
    }

    void add(LaneSlot slot) {
        waiting.add(slot);
    }

    void ended(LaneSlot slot, long now) {
        movedAt = now;
        if (running.remove(slot))
            exclusive = false;
        else
            passed.remove(slot);
    }

    /// Lets a slot run on beside the lane, which it no longer holds.
    void pass(LaneSlot slot, long now) {
        movedAt = now;
        if (running.remove(slot)) {
            exclusive = false;
            passed.add(slot);
        }
    }

    /// Returns the slots that run, including those beside the lane.
    List<LaneSlot> busy() {
        return Stream.concat(passed.stream(), running.stream()).toList();
    }

    /// Returns the first waiting slots.
    List<LaneSlot> queued(int most) {
        return waiting.stream().limit(most).toList();
    }

    /// Removes the slots that may start now from the queue.
    void startable(Consumer<LaneSlot> start, long now) {
        for (LaneSlot next = waiting.peek(); next != null && mayStart(next); next = waiting.peek()) {
            waiting.remove();
            running.add(next);
            movedAt = now;
            exclusive = !next.readOnly();
            start.accept(next);
        }
    }

    private boolean mayStart(LaneSlot next) {
        return running.isEmpty() || (next.readOnly() && !exclusive);
    }

    /// Removes a slot that has not started and returns it; null if none is left.
    @Nullable
    LaneSlot drop() {
        return waiting.poll();
    }
}
