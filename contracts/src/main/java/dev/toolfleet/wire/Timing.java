package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

/// Durations of a call, in milliseconds.
///
/// @param queuedMs from the call's append on the broker to its start on a worker
/// @param handlerMs in the handler
/// @param totalMs from the call's append on the broker until the result was ready to publish
/// @param checksMs before the handler: middlewares, catalog, policy, arguments, and the note of its start; absent for
///        less than one
/// @param slotMs waiting for a slot of its tool's limits; absent for less than one
public record Timing(long queuedMs, long handlerMs, long totalMs, @Nullable Long checksMs, @Nullable Long slotMs) {
    /// Makes the times of a call without checks and without a wait for a slot.
    public Timing(long queuedMs, long handlerMs, long totalMs) {
        this(queuedMs, handlerMs, totalMs, null, null);
    }
}
