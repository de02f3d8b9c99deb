package dev.toolfleet.bench.fault;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// The faults of a run, one after the other: every kind comes once before one comes again. The same seed makes the same
/// faults.
public final class FaultSchedule {
    private static final int PAUSE_FROM = 3_000;
    private static final int PAUSE_TO = 8_000;
    private static final int AWAY_FROM = 500;
    private static final int AWAY_TO = 4_000;

    private final Random random;
    private final List<FaultKind> kinds;
    private final int slots;
    private final Duration sessionTimeout;
    private final Deque<FaultKind> round = new ArrayDeque<>();

    /// @param kinds at least one
    /// @param slots how many workers there are
    /// @param sessionTimeout of the workers: a freeze lasts longer
    public FaultSchedule(long seed, Set<FaultKind> kinds, int slots, Duration sessionTimeout) {
        if (kinds.isEmpty())
            throw new IllegalArgumentException("kinds is empty; a run with faults needs at least one");
        this.random = new Random(seed);
        this.kinds = kinds.stream().sorted().toList();
        this.slots = slots;
        this.sessionTimeout = sessionTimeout;
    }

    /// The next one.
    public PlannedFault next() {
        if (round.isEmpty()) {
            List<FaultKind> shuffled = new ArrayList<>(kinds);
            Collections.shuffle(shuffled, random);
            round.addAll(shuffled);
        }
        FaultKind kind = round.remove();
        Duration pause = between(PAUSE_FROM, PAUSE_TO);
        int slot = random.nextInt(slots);
        Duration away = between(AWAY_FROM, AWAY_TO);
        boolean longer = kind == FaultKind.FREEZE || kind == FaultKind.QUOTA;
        return new PlannedFault(kind, pause, slot,
                longer ? sessionTimeout.plus(Duration.ofSeconds(1)).plus(away) : away, random.nextBoolean());
    }

    private Duration between(int from, int to) {
        return Duration.ofMillis(random.nextInt(from, to));
    }

    /// A fault that is to come.
    ///
    /// @param pause before it, with everything well
    /// @param slot which of the workers is meant, for those faults that mean one
    /// @param away how long the worker or broker is down or frozen, or the limit holds
    /// @param sameName whether the next worker takes the name of the one that ended
    public record PlannedFault(FaultKind kind, Duration pause, int slot, Duration away, boolean sameName) {}
}
