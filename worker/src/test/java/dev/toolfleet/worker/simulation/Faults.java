package dev.toolfleet.worker.simulation;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/// Faults between clients and brokers, with their bounds in this run and their counts.
final class Faults {
    enum Fault {
        /// A send fails; the transaction can only be aborted.
        SEND,
        /// Sending the offsets fails.
        OFFSETS,
        /// The commit takes place and the client gets a timeout.
        COMMIT_UNSEEN,
        /// The commit does not take place and the client gets a timeout.
        COMMIT_NOT_SENT,
        /// The commit takes place later than the client waits.
        COMMIT_LATE,
        /// The commit's fate is not told: an error that is no timeout.
        COMMIT_BROKEN,
        /// A producer cannot be made ready in time.
        INIT,
        /// Committed offsets cannot be read in time.
        OFFSET_READ,
        /// A producer stands still while the rest of its process goes on.
        STALL,
        /// Markers are written one by one, with pauses.
        SLOW_MARKERS,
        /// A marker takes long.
        STUCK_MARKER,
        /// Outcomes cannot be read.
        RESUMED_READ;

        /// True if a worker may doubt its commit.
        boolean leavesDoubt() {
            return switch (this) {
                case COMMIT_UNSEEN, COMMIT_NOT_SENT, COMMIT_LATE, COMMIT_BROKEN -> true;
                case SEND, OFFSETS, INIT, OFFSET_READ, STALL, SLOW_MARKERS, STUCK_MARKER, RESUMED_READ -> false;
            };
        }
    }

    private final Random random;
    private final Map<Fault, Double> rates = new EnumMap<>(Fault.class);
    private boolean on = true;
    private int happened;

    private Faults(Random random) {
        this.random = random;
    }

    /// Only what delays.
    static Faults calm(Random random) {
        Faults faults = new Faults(random);
        faults.rates.put(Fault.SLOW_MARKERS, 0.3);
        return faults;
    }

    /// Each with a rate of its own, many of them never.
    ///
    /// @param doubts whether commits may have an unknown end
    static Faults wild(Random random, boolean doubts) {
        Faults faults = calm(random);
        for (Fault fault : Fault.values()) {
            if (fault != Fault.SLOW_MARKERS && random.nextInt(3) == 0 && (doubts || !fault.leavesDoubt()))
                faults.rates.put(fault, random.nextDouble() * 0.25);
        }
        return faults;
    }

    boolean happens(Fault fault) {
        boolean now = on && random.nextDouble() < rates.getOrDefault(fault, 0.0);
        if (now && fault != Fault.SLOW_MARKERS)
            happened++;
        return now;
    }

    boolean areOver() {
        return !on;
    }

    /// From now on nothing fails.
    void end() {
        on = false;
    }

    int happened() {
        return happened;
    }
}
