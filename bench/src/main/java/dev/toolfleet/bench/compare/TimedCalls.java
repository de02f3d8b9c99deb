package dev.toolfleet.bench.compare;

import java.util.function.IntPredicate;
import java.util.stream.IntStream;

import dev.toolfleet.bench.timing.Latencies;

/// Calls that were sent on a schedule, and their answers. The time of a call goes from the instant at which it was
/// *due* until its result was read: a late sender does not hide how long a caller would have waited.
final class TimedCalls {
    private final RateOptions.Schedule schedule;
    private final long begun;
    private final int[] keys;
    private final long[] answered;

    /// @param begun when sending began, by [System#nanoTime]
    /// @param keys the instance of each call, by number
    /// @param answered when its first result was read, by [System#nanoTime]; 0 for none
    TimedCalls(RateOptions.Schedule schedule, long begun, int[] keys, long[] answered) {
        this.schedule = schedule;
        this.begun = begun;
        this.keys = keys.clone();
        this.answered = answered.clone();
    }

    /// Latencies of the answered calls that count and go to such an instance.
    Latencies latencies(IntPredicate instance) {
        Latencies latencies = new Latencies();
        for (int number = schedule.first(); number < keys.length; number++) {
            if (answered[number] != 0 && instance.test(keys[number]))
                latencies.add(answered[number] - begun - schedule.dueNanos(number));
        }
        return latencies;
    }

    /// Results a second in the time in which calls counted: less than were sent when the engine could not follow.
    double perSecond() {
        long from = begun + schedule.dueNanos(schedule.first());
        long to = begun + schedule.dueNanos(keys.length);
        long within = IntStream.range(0, keys.length).filter(number -> answered[number] != 0
                && answered[number] - from >= 0 && answered[number] - to < 0).count();
        return within * 1e9 / (to - from);
    }

    /// Largest number of calls that were open at a time, of those that count.
    int mostOpen() {
        long[] ends = IntStream.range(schedule.first(), keys.length)
                .mapToLong(number -> answered[number] == 0 ? Long.MAX_VALUE : answered[number] - begun).sorted()
                .toArray();
        int most = 0;
        int ended = 0;
        for (int number = schedule.first(); number < keys.length; number++) {
            while (ends[ended] <= schedule.dueNanos(number))
                ended++;
            most = Math.max(most, number - schedule.first() + 1 - ended);
        }
        return most;
    }
}
