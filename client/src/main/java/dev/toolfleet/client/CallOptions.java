package dev.toolfleet.client;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/// What may be said about one call beside the call itself.
///
/// @param timeout until the *final* result; null takes the call's deadline (and a margin for the answer to travel),
/// else the client's timeouts
/// @param traceparent the W3C context to carry on; null starts a trace
public record CallOptions(@Nullable Duration timeout, @Nullable String traceparent) {
    /// Nothing in particular.
    public static final CallOptions DEFAULT = new CallOptions(null, null);

    /// Checks the timeout.
    public CallOptions {
        if (timeout != null && (timeout.isNegative() || timeout.isZero()))
            throw new IllegalArgumentException("timeout must be positive, got " + timeout);
    }

    /// With this timeout.
    public static CallOptions within(Duration timeout) {
        return new CallOptions(timeout, null);
    }
}
