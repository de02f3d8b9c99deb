package dev.toolfleet.wire;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// How a pending call began: what its final result says of it, when its arguments are no longer at hand.
///
/// @param fingerprint of name and arguments as the caller sent them
/// @param attempt which start of the handler made the handle, from 1
/// @param tool which declaration ran, so that the same module is asked and told; absent for a call that ran no tool
/// @param calledAt when the broker appended the call
/// @param traceparent the W3C trace context that the call's end goes on with: that of the call's span where the worker
/// traces, else the caller's
/// @param tracestate the W3C trace state beside it
public record CallOrigin(String fingerprint, int attempt, @Nullable ToolRef tool, Instant calledAt,
        @Nullable String traceparent, @Nullable String tracestate) {
    /// Checks that the final result can be matched to its call.
    public CallOrigin {
        requireNonNull(fingerprint, "fingerprint");
        requireNonNull(calledAt, "calledAt");
    }

    /// Without a trace state.
    public CallOrigin(String fingerprint, int attempt, @Nullable ToolRef tool, Instant calledAt,
            @Nullable String traceparent) {
        this(fingerprint, attempt, tool, calledAt, traceparent, null);
    }
}
