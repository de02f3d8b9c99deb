package dev.toolfleet.worker.assignment;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// How much there is of something, by assignment and in all. Thread-safe; both change together, so that nobody ever sees
/// more than is there.
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

    /// One more call of this position's assignment.
    public synchronized void add(Position position, long bytes) {
        Assignment of = assignment(position);
        sums.computeIfAbsent(of, _ -> new Sum()).add(1, bytes);
        if (!aside.contains(of))
            all.add(1, bytes);
    }

    /// One less. Nothing where nothing is: who counts must not end for it.
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

    /// What there is of an assignment, and comes, does not count in all, or does so again.
    public synchronized void setAside(int partition, long epoch, boolean on) {
        Assignment of = new Assignment(partition, epoch);
        if (!(on ? aside.add(of) : aside.remove(of)))
            return;
        Sum sum = sums.get(of);
        if (sum == null)
            return;
        all.add(on ? -sum.calls : sum.calls, on ? -sum.bytes : sum.bytes);
    }

    /// How much there is of one assignment.
    public synchronized Load of(int partition, long epoch) {
        Sum sum = sums.get(new Assignment(partition, epoch));
        return sum == null ? Load.NOTHING : sum.load();
    }

    /// How much there is in all, but for what was set aside.
    public synchronized Load all() {
        return all.load();
    }

    private static Assignment assignment(Position position) {
        return new Assignment(position.partition(), position.epoch());
    }
}
