package dev.toolfleet.bench.compare;

import java.util.List;

/// Memory of an engine with many calls in flight.
///
/// @param resident what the operating system said each second, in bytes
/// @param perSecond results a second
/// @param liveHeap what lived on the heap at the end, after a collection, in bytes
record Footprint(Entrant entrant, List<Long> resident, double perSecond, long liveHeap, AnswerVerdict verdict) {
    /// A worker with 10,000 calls of 1 KB in flight stays below.
    static final long PROMISED = 600_000_000;
    /// So much of it may come in the last three fifths of a run that is long enough to tell.
    static final double GROWTH = 1.05;
    static final int LONG_ENOUGH_SECONDS = 300;

    Footprint {
        resident = List.copyOf(resident);
    }

    long peak() {
        return resident.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /// The mean of a fifth of the time, from 0; the first is warm-up.
    double fifth(int number) {
        return resident.subList(resident.size() * number / 5, resident.size() * (number + 1) / 5).stream()
                .mapToLong(Long::longValue).average().orElse(0);
    }

    /// The last fifth in relation to the second.
    double growth() {
        return fifth(1) == 0 ? 1 : fifth(4) / fifth(1);
    }

    boolean kept() {
        boolean grew = resident.size() >= LONG_ENOUGH_SECONDS && growth() > GROWTH;
        return verdict.clean() && (!entrant.arm().isFleet() || (peak() < PROMISED && !grew));
    }
}
