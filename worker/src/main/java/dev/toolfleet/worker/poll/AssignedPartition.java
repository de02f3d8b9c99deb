package dev.toolfleet.worker.poll;

import java.util.ArrayDeque;
import java.util.Deque;

import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.identity.Arrival;
import org.jspecify.annotations.Nullable;

/// One assigned partition as the poll thread sees it. Owned by that thread.
final class AssignedPartition {
    private final long epoch;
    /// Read but refused so far: offered again before anything is read after them.
    private final Deque<Arrival> held = new ArrayDeque<>();
    private @Nullable DoneOffsets start;
    private boolean metadataFull;
    private boolean paused = true;

    AssignedPartition(long epoch) {
        this.epoch = epoch;
    }

    long epoch() {
        return epoch;
    }

    Deque<Arrival> held() {
        return held;
    }

    void adopted(DoneOffsets from) {
        start = from;
    }

    boolean isAdopted() {
        return start != null;
    }

    /// Whether the record was finished under an earlier owner.
    boolean wasDone(long offset) {
        return start != null && start.isDone(offset);
    }

    void metadataFull(boolean full) {
        metadataFull = full;
    }

    /// Whether the consumer should fetch from this partition.
    boolean wantsRecords() {
        return isAdopted() && held.isEmpty() && !metadataFull;
    }

    boolean isPaused() {
        return paused;
    }

    void paused(boolean now) {
        paused = now;
    }
}
