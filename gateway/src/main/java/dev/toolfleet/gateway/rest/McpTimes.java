package dev.toolfleet.gateway.rest;

import java.time.Duration;

/// Times of calls that are tasks.
///
/// @param retention the time for which an ended call is kept
/// @param taskAfter the time after which a call becomes a task, for clients that take one
public record McpTimes(Duration retention, Duration taskAfter) {
    private static final Duration TASK_AFTER = Duration.ofSeconds(10);

    /// Returns the usual times.
    public static McpTimes of(Duration retention) {
        return new McpTimes(retention, TASK_AFTER);
    }
}
