package dev.toolfleet.wire;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Start of a pending call: data for its final result when its arguments are no longer at hand.
///
/// @param fingerprint of name and arguments as the caller sent them
/// @param attempt the start of the handler that made the handle, from 1
/// @param tool the declaration that ran, so that polls and cancellations reach the same module; absent for a call that
///        ran no tool
/// @param calledAt the time at which the broker appended the call
/// @param traceparent the W3C trace context that the call's end continues: that of the call's span where the worker
///        traces, else the caller's
/// @param tracestate the W3C trace state beside it
public record CallOrigin(String fingerprint, int attempt, @Nullable ToolRef tool, Instant calledAt,
        @Nullable String traceparent, @Nullable String tracestate) {
    /// Checks that the final result can be matched to its call.
    public CallOrigin {
        requireNonNull(fingerprint, "fingerprint");
        requireNonNull(calledAt, "calledAt");
    }

    /// Makes an origin without a trace state.
    public CallOrigin(String fingerprint, int attempt, @Nullable ToolRef tool, Instant calledAt,
            @Nullable String traceparent) {
        this(fingerprint, attempt, tool, calledAt, traceparent, null);
    }
}
