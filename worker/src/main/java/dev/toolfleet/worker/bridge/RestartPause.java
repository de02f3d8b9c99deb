package dev.toolfleet.worker.bridge;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/// Rule of the pauses between a server's end and its next start: each failure doubles them, a long life resets them,
/// and several failures within a minute open a breaker. Pure but for its memory; for one thread.
final class RestartPause {
    /// The pause after the first failure.
    static final Duration FIRST = Duration.ofMillis(250);
    /// The longest pause.
    static final Duration LONGEST = Duration.ofMinutes(1);
    /// The pause with an open breaker.
    static final Duration BREAKER = Duration.ofSeconds(30);
    /// The number of failures of a program within [#WINDOW] that opens the breaker.
    static final int MOST_FAILURES = 3;
    /// The same of a server elsewhere, which others start again: its connections fail in no time.
    static final int MOST_REFUSALS = 6;
    /// The time within which failures count together; a server that lived for longer starts anew.
    static final Duration WINDOW = Duration.ofMinutes(1);

    private final Deque<Duration> failures = new ArrayDeque<>();
    private final int mostFailures;
    private int inRow;

    /// @param mostFailures the number of failures within [#WINDOW] that opens the breaker
    RestartPause(int mostFailures) {
        this.mostFailures = mostFailures;
    }

    /// A pause.
    ///
    /// @param open true if the breaker is open: calls do not wait for the next start
    record Next(Duration pause, boolean open) {}

    /// Returns the pause after a failure.
    ///
    /// @param now a time that only grows
    /// @param lived the time for which the server answered
    Next after(Duration now, Duration lived) {
        if (lived.compareTo(WINDOW) >= 0)
            inRow = 0;
        failures.addLast(now);
        failures.removeIf(failed -> now.minus(failed).compareTo(WINDOW) > 0);
        Duration doubled = FIRST.multipliedBy(1L << Math.min(inRow, 16));
        inRow++;
        if (failures.size() < mostFailures && doubled.compareTo(BREAKER) < 0)
            return new Next(doubled, false);
        return new Next(doubled.compareTo(BREAKER) < 0 ? BREAKER : doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST,
                true);
    }
}
