package dev.toolfleet.bench.load;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

import dev.toolfleet.wire.InstanceLabel;

/// The calls of a run, one after the other: evenly spaced, over instances that are mostly idle, of all kinds and
/// courses, most of them quick with short answers. The same seed makes the same calls.
public final class CallPlan {
    private static final Set<String> GUARDED = Set.of(InstanceLabel.UNTRUSTED, InstanceLabel.SENSITIVE);
    private static final int INSTANCES = 300;
    private static final double EXPONENT = 0.8;
    private static final double READ_ONLY = 0.3;
    private static final double IDEMPOTENT = 0.65;
    private static final double SLOW = 0.02;
    private static final double VERY_SLOW = 0.005;
    private static final double TWICE = 0.01;
    private static final int QUICK_MILLIS = 20;
    private static final int SLOW_MILLIS = 2_000;
    private static final int VERY_SLOW_MILLIS = 20_000;
    private static final int AGAIN_MILLIS = 5_000;
    private static final double DIRECT = 0.93;
    private static final double PENDING = 0.96;
    private static final double APPROVED = 0.99;
    private static final double SHORT = 0.96;
    private static final double LONG = 0.995;
    private static final int SHORT_BYTES = 200;
    private static final int LONG_BYTES = 100_000;
    /// Less than a record of `tool.result` may have.
    private static final int LONGEST_BYTES = 1_000_000;
    /// The instances begin their turns at different times. Eight of them, which a catalog remembers, are longer than
    /// any call may wait for its turn in a lane.
    private static final long TURN_MILLIS = 20_000;
    private static final long TURN_APART_MILLIS = 67;

    /// An instance that has so much to do gets quick calls only, or it would fall behind for good.
    private static final long ENOUGH_MILLIS = 3_000;

    private final RandomGenerator random;
    private final double callsPerSecond;
    private final Zipf zipf = new Zipf(INSTANCES, EXPONENT);
    private final long[] busyUntil = new long[INSTANCES];
    private final Map<Integer, Set<String>> labels = new HashMap<>();
    private final boolean labelled;
    private int number;

    /// @param labelled whether results add labels, so that calls that send need approval once an instance has both
    public CallPlan(RandomGenerator random, int callsPerSecond, boolean labelled) {
        this.random = random;
        this.labelled = labelled;
        this.callsPerSecond = callsPerSecond;
    }

    /// The next call.
    public PlannedCall next() {
        long at = Math.round(number * 1000 / callsPerSecond);
        int rank = zipf.draw(random);
        Kind kind = kind(random.nextDouble());
        long takes = takes(random.nextDouble(), busyUntil[rank] - at < ENOUGH_MILLIS);
        busyUntil[rank] = Math.max(at, busyUntil[rank]) + takes;
        Optional<Duration> again = random.nextDouble() < TWICE
                ? Optional.of(Duration.ofMillis(at + random.nextInt(AGAIN_MILLIS)))
                : Optional.empty();
        Course course = guarded(rank, kind, course(random.nextDouble()));
        Work work = new Work(kind, course, Duration.ofMillis(takes), bytes(random.nextDouble()));
        return new PlannedCall(number++, Duration.ofMillis(at), "instance-" + rank,
                (at + rank * TURN_APART_MILLIS) / TURN_MILLIS, work, again);
    }

    /// The course under the labels of the calls before it, which are noted when the lane reaches this one.
    private Course guarded(int rank, Kind kind, Course course) {
        if (!labelled || course.isAlwaysAsked())
            return course;
        Set<String> its = labels.computeIfAbsent(rank, instance -> new HashSet<>());
        kind.adds().ifPresent(its::add);
        return kind.sends() && its.containsAll(GUARDED) ? Course.GUARDED : course;
    }

    private static Kind kind(double share) {
        return share < READ_ONLY ? Kind.READ_ONLY : share < IDEMPOTENT ? Kind.IDEMPOTENT : Kind.ONCE;
    }

    private static Course course(double share) {
        return share < DIRECT
                ? Course.DIRECT
                : share < PENDING ? Course.PENDING : share < APPROVED ? Course.APPROVED : Course.REJECTED;
    }

    private int bytes(double share) {
        if (share < SHORT)
            return random.nextInt(SHORT_BYTES);
        return share < LONG ? random.nextInt(SHORT_BYTES, LONG_BYTES) : random.nextInt(LONG_BYTES, LONGEST_BYTES);
    }

    private long takes(double share, boolean maySlow) {
        if (maySlow && share < VERY_SLOW)
            return random.nextInt(SLOW_MILLIS, VERY_SLOW_MILLIS);
        if (maySlow && share < VERY_SLOW + SLOW)
            return random.nextInt(QUICK_MILLIS * 10, SLOW_MILLIS);
        return random.nextInt(QUICK_MILLIS);
    }
}
