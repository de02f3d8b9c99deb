package dev.toolfleet.bench.compare;

import java.time.Duration;

import dev.toolfleet.bench.timing.Latencies;

/// Answers of one entrant at a steady rate.
///
/// @param perSecond results a second while calls counted
/// @param all of all calls that count
/// @param hottest of those to the busiest instance
/// @param cold of those to instances that are not among the [#BUSIEST] busiest
/// @param mostOpen calls that were open at a time, at most
/// @param engineCores processors that the engine kept busy
/// @param loadAverage of the machine at the end
record Rated(Entrant entrant, CallLoad load, int round, double perSecond, Latencies all, Latencies hottest,
        Latencies cold, int mostOpen, double engineCores, double loadAverage, AnswerVerdict verdict) {

    /// Number of instances that take most of the calls of a skewed mix; in another mix any instances serve.
    static final int BUSIEST = 10;

    static Rated of(Entrant entrant, CallLoad load, int round, TimedCalls calls, double engineCores, double loadAverage,
            AnswerVerdict verdict) {
        return new Rated(entrant, load, round, calls.perSecond(), calls.latencies(key -> true),
                calls.latencies(key -> key == 0), calls.latencies(key -> key >= BUSIEST), calls.mostOpen(),
                engineCores, loadAverage, verdict);
    }

    static double millis(Duration duration) {
        return duration.toNanos() / 1e6;
    }
}
