package dev.toolfleet.bench.backtest;

import java.time.Duration;
import java.util.Map;

/// Result of a backtest of many past calls.
///
/// @param calls that were written
/// @param judged that the command judged
/// @param expected the number of calls by finding, as the writer knows it
/// @param found the same as the command printed it
/// @param joined calls with a finding whose result the command found
/// @param time from the start of the command's process to its end
/// @param processor time of the processors that the command used
public record PastCallsReport(int calls, long judged, Map<String, Long> expected, Map<String, Long> found, long joined,
        Duration time, Duration processor) {
    /// The longest time for a million calls.
    public static final Duration MOST = Duration.ofMinutes(1);
    private static final int MILLION = 1_000_000;

    /// Copies the counts.
    public PastCallsReport {
        expected = Map.copyOf(expected);
        found = Map.copyOf(found);
    }

    /// True if all calls were judged as the writer knows, with their results.
    public boolean isRight() {
        return judged == calls && found.equals(expected)
                && joined == found.values().stream().mapToLong(Long::longValue).sum();
    }

    /// True if that is so, and it took less than it may: [#MOST] for a million calls or fewer.
    public boolean kept() {
        return isRight() && time.toNanos() <= MOST.toNanos() * Math.max(1.0, calls / (double) MILLION);
    }
}
