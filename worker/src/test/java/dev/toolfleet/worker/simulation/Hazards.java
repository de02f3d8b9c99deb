package dev.toolfleet.worker.simulation;

import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Conditions of a world that last: clocks, what brokers allow, and what happens to topics. Chosen by a random source of
/// their own, so that a new one does not change what the other worlds do.
final class Hazards {
    /// The system property that names hazards which are off otherwise.
    static final String NAMED = "toolfleet.simulation.hazards";
    /// All happen; one that the engine is not up to yet is taken out here, and is for tests that name it.
    private static final Set<TopicFault> TOPIC_FAULTS = EnumSet.complementOf(EnumSet.of(TopicFault.NONE));
    private static final int BROKER_CLOCK_MILLIS = 20_000;
    private static final int WORKER_CLOCK_MILLIS = 10_000;
    private static final int LONGEST_STALL_MILLIS = 30_000;
    private static final int HOUR_MILLIS = 3_600_000;

    private final Random random;
    /// A source of their own for later hazards.
    private final Random later;
    /// The rate at which a producer may write; 0 for any.
    final int bytesPerSecond;
    final boolean leaderless;
    final boolean clocks;
    final TopicFault topicFault;
    /// True if poll threads stand still from time to time, for longer than the group waits for them.
    final boolean stalls;
    /// True if work that goes on elsewhere has little time.
    final boolean deadlines;
    /// True if some calls kill the process that runs them.
    final boolean poison;
    /// True if a transaction has room for a few entries, and for one large result.
    final boolean smallTransactions;
    /// True if callers cancel some of their calls.
    final boolean cancels;
    /// True if a partition is added to the topics while workers run.
    final boolean grows;

    /// @param calm whether nothing may go wrong
    Hazards(long seed, boolean calm) {
        random = new Random(seed * 0x9E3779B97F4A7C15L ^ 0x5DEECE66DL);
        later = new Random(seed * 0x9E3779B97F4A7C15L ^ 0x2545F4914F6CDD1DL);
        // Each is drawn whatever the others are.
        boolean slow = random.nextInt(8) == 0 && Wanted.THROTTLED.isOn();
        int rate = 1_200 + random.nextInt(3_000);
        boolean noLeader = random.nextInt(8) == 0 && Wanted.LEADERLESS.isOn();
        clocks = random.nextInt(4) == 0 && Wanted.CLOCKS.isOn();
        List<TopicFault> faults = List.copyOf(Wanted.topicFaults(TOPIC_FAULTS));
        int dice = random.nextInt(4);
        int kind = random.nextInt(1_000_000);
        topicFault = calm || dice != 0 || faults.isEmpty() ? TopicFault.NONE : faults.get(kind % faults.size());
        bytesPerSecond = calm || !slow ? 0 : rate;
        leaderless = !calm && noLeader;
        stalls = random.nextInt(8) == 0 && !calm && Wanted.STALLED_POLLS.isOn();
        deadlines = random.nextInt(4) == 0 && Wanted.DEADLINES.isOn();
        boolean deadly = random.nextInt(4) == 0 && Wanted.POISON.isOn();
        poison = !calm && deadly;
        cancels = later.nextInt(4) == 0 && Wanted.CANCELS.isOn();
        smallTransactions = later.nextInt(6) == 0 && Wanted.SMALL_TRANSACTIONS.isOn();
        grows = later.nextInt(6) == 0 && topicFault == TopicFault.NONE && Wanted.GROWTH.isOn();
    }

    /// By how much a process's clock is ahead.
    long workerClock() {
        int ahead = clocks ? random.nextInt(2 * WORKER_CLOCK_MILLIS) - WORKER_CLOCK_MILLIS : 0;
        return Math.abs(ahead % 4) == 1 ? ahead + Integer.signum(ahead) * HOUR_MILLIS : ahead;
    }

    /// By how much the clock of a partition's leader is ahead.
    long brokerClock() {
        return clocks ? random.nextInt(2 * BROKER_CLOCK_MILLIS) - BROKER_CLOCK_MILLIS : 0;
    }

    /// For how long a poll thread stands still now; mostly 0.
    long stall() {
        return stalls && random.nextInt(80) == 0 ? random.nextInt(LONGEST_STALL_MILLIS) : 0;
    }

    /// Hazards that can be switched on one by one, with `-Dtoolfleet.simulation.hazards=THROTTLED,SET_BACK`.
    enum Wanted {
        THROTTLED(true), LEADERLESS(true), CLOCKS(true), STALLED_POLLS(true), DEADLINES(true), POISON(true), CANCELS(
                true), SMALL_TRANSACTIONS(true), GROWTH(true);

        private final boolean byDefault;

        Wanted(boolean byDefault) {
            this.byDefault = byDefault;
        }

        boolean isOn() {
            return byDefault || isNamed(name());
        }

        private static boolean isNamed(String name) {
            return List.of(System.getProperty(NAMED, "").split(",")).contains(name);
        }

        static Set<TopicFault> topicFaults(Set<TopicFault> always) {
            Set<TopicFault> all = EnumSet.noneOf(TopicFault.class);
            all.addAll(always);
            for (TopicFault fault : TopicFault.values()) {
                if (isNamed(fault.name()))
                    all.add(fault);
            }
            return all;
        }
    }
}
