package dev.toolfleet.bench.micro;

import java.util.List;

/// Measurements of micro-benchmarks.
public record MicroReport(List<Row> rows) {
    /// Copies the rows.
    public MicroReport {
        rows = List.copyOf(rows);
    }

    /// One measured method.
    ///
    /// @param name benchmark and method
    /// @param what one operation is
    /// @param nanos an operation takes on average, in nanoseconds
    /// @param error half the width of the average's 99.9 % confidence interval, in nanoseconds
    /// @param limitNanos how long it may take; 0 when nothing was promised
    public record Row(String name, String what, double nanos, double error, long limitNanos) {
        /// True if it took no longer than it may.
        public boolean kept() {
            return limitNanos == 0 || nanos < limitNanos;
        }
    }

    /// True if nothing took longer than it may.
    public boolean kept() {
        return rows.stream().allMatch(Row::kept);
    }
}
