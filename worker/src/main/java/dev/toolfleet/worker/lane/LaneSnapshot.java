package dev.toolfleet.worker.lane;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Contents of a worker's lanes at one moment.
///
/// @param active instances that have a call queued or running
/// @param partitions by number; one without calls is missing
/// @param stalled the longest time for which a lane with a queue has started and ended no call
public record LaneSnapshot(int active, Map<Integer, Load> partitions, Duration stalled) {
    /// Before the first look.
    public static final LaneSnapshot NOTHING = new LaneSnapshot(0, Map.of(), Duration.ZERO);

    /// Copies the map.
    public LaneSnapshot {
        partitions = Map.copyOf(partitions);
    }

    /// Reason why calls of a partition are refused for now.
    public enum Full {
        /// One instance has the most calls that its queue may hold.
        LANE_FULL,
        /// The worker, or the partition's share of it, is full.
        WORKER_FULL,
        /// A call that an earlier owner of the partition began has to be read first.
        EARLIER_OWNER
    }

    /// The calls of one partition.
    ///
    /// @param queued those that wait behind a call of their own instance
    /// @param longest queue of one instance
    public record Load(int running, int queued, int longest) {
        /// No calls.
        public static final Load NONE = new Load(0, 0, 0);
    }

    /// Returns the load of a partition.
    public Load of(int partition) {
        return partitions.getOrDefault(partition, Load.NONE);
    }

    /// Number of calls that run.
    public int running() {
        return partitions.values().stream().mapToInt(Load::running).sum();
    }

    static final class Builder {
        private final Map<Integer, Load> partitions = new HashMap<>();
        private final long now;
        private int active;
        private long stalled;

        Builder(long now) {
            this.now = now;
        }

        void add(int partition, int running, int queued, long movedAt) {
            active++;
            partitions.merge(partition, new Load(running, queued, queued), Builder::plus);
            if (queued > 0)
                stalled = Math.max(stalled, now - movedAt);
        }

        private static Load plus(Load one, Load other) {
            return new Load(one.running + other.running, one.queued + other.queued,
                    Math.max(one.longest, other.longest));
        }

        LaneSnapshot build() {
            return new LaneSnapshot(active, partitions, Duration.ofNanos(stalled));
        }
    }
}
