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
/// @param traceparent the caller's W3C trace context
public record CallOrigin(String fingerprint, int attempt, @Nullable ToolRef tool, Instant calledAt,
        @Nullable String traceparent) {
    /// Checks that the final result can be matched to its call.
    public CallOrigin {
        requireNonNull(fingerprint, "fingerprint");
        requireNonNull(calledAt, "calledAt");
    }
}
