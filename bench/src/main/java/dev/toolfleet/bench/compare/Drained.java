package dev.toolfleet.bench.compare;

import java.time.Duration;

/// Drain of a log of calls by one entrant.
///
/// @param perSecond results a second between the two marks of [DrainOptions]
/// @param whole from the first result to the last
/// @param use what it took of the machine between the marks
/// @param loadAverage of the machine when the clock stopped
record Drained(Entrant entrant, CallLoad load, int round, double perSecond, Duration whole, DrainClock.Use use,
        double loadAverage, AnswerVerdict verdict) {}
