package dev.toolfleet.worker.assignment;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Loads by assignment and in total. Thread-safe; both change together, so that no reader sees a total that never
/// existed.
public final class PartitionLoads {
    private record Assignment(int partition, long epoch) {}

    private static final class Sum {
        private int calls;
        private long bytes;

        void add(int more, long weight) {
            calls += more;
            bytes += weight;
        }

        Load load() {
            return new Load(calls, bytes);
        }
    }

    private final Map<Assignment, Sum> sums = new HashMap<>();
    private final Set<Assignment> aside = new HashSet<>();
    private final Sum all = new Sum();

    /// Adds a call to its assignment.
    public synchronized void add(Position position, long bytes) {
        Assignment of = assignment(position);
        sums.computeIfAbsent(of, _ -> new Sum()).add(1, bytes);
        if (!aside.contains(of))
            all.add(1, bytes);
    }

    /// Removes a call from its assignment. Does nothing if there is none: a counting error must not end its thread.
    public synchronized void remove(Position position, long bytes) {
        Assignment of = assignment(position);
        Sum sum = sums.get(of);
        if (sum == null)
            return;
        sum.add(-1, -bytes);
        if (sum.calls == 0)
            sums.remove(of);
        if (!aside.contains(of))
            all.add(-1, -bytes);
    }

    /// Excludes this assignment's load, present and future, from the total, or includes it again.
    public synchronized void setAside(int partition, long epoch, boolean on) {
        Assignment of = new Assignment(partition, epoch);
        if (!(on ? aside.add(of) : aside.remove(of)))
            return;
        Sum sum = sums.get(of);
        if (sum == null)
            return;
        all.add(on ? -sum.calls : sum.calls, on ? -sum.bytes : sum.bytes);
    }

    /// Returns the load of one assignment.
    public synchronized Load of(int partition, long epoch) {
        Sum sum = sums.get(new Assignment(partition, epoch));
        return sum == null ? Load.NOTHING : sum.load();
    }

    /// Returns the total load, without the assignments that were set aside.
    public synchronized Load all() {
        return all.load();
    }

    private static Assignment assignment(Position position) {
        return new Assignment(position.partition(), position.epoch());
    }
}
