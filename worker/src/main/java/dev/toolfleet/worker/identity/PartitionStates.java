package dev.toolfleet.worker.identity;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.worker.assignment.Position;
import org.jspecify.annotations.Nullable;

/// The state of every assigned partition. The take-over adds, the poll loop removes, calls ask. Thread-safe.
public final class PartitionStates {

    private record Assigned(long epoch, PartitionState state) {}

    private final Map<Integer, Assigned> states = new ConcurrentHashMap<>();

    /// Nothing is assigned.
    public PartitionStates() {}

    /// A take-over is complete. Comes before the partition's first call.
    public void opened(int partition, long epoch, PartitionState state) {
        states.put(partition, new Assigned(epoch, state));
    }

    /// The assignment has ended.
    public void closed(int partition, long epoch) {
        Assigned held = states.get(partition);
        if (held == null || held.epoch() != epoch)
            return;
        states.remove(partition, held);
        held.state().close();
    }

    /// The state under which a call was read; null when that assignment has ended.
    public @Nullable PartitionState of(Position position) {
        return of(position.partition(), position.epoch());
    }

    /// The state of an assignment; null when it has ended.
    public @Nullable PartitionState of(int partition, long epoch) {
        Assigned held = states.get(partition);
        return held != null && held.epoch() == epoch ? held.state() : null;
    }

    /// Answers that are known in all.
    public int answers() {
        return states.values().stream().mapToInt(held -> held.state().answers()).sum();
    }
}
