package dev.toolfleet.gateway.rest;

import java.time.Duration;

/// Times of calls that are tasks.
///
/// @param retention the time for which an ended call is kept
/// @param taskAfter the time after which a call becomes a task, for clients that take one; at most 10 minutes
public record McpTimes(Duration retention, Duration taskAfter) {
    /// The usual time after which a call becomes a task.
    public static final Duration DEFAULT_TASK_AFTER = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /// Checks the time.
    ///
    /// @throws IllegalArgumentException naming the setting and its value
    public McpTimes {
        if (taskAfter.isNegative() || taskAfter.compareTo(LONGEST) > 0)
            throw new IllegalArgumentException("gateway.mcp.taskAfter '" + taskAfter + "' is not allowed: 0s to 10m");
    }
}
