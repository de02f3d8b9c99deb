package dev.toolfleet.client;

import java.time.Duration;

import dev.toolfleet.wire.Callback;
import org.jspecify.annotations.Nullable;

/// Options of one call.
///
/// @param timeout until the *final* result; null takes the call's deadline (plus a margin for the answer to travel),
///        else the client's timeouts
/// @param traceparent the W3C context to continue; null starts a trace
/// @param callback the address to which a gateway of the fleet posts the final result; null for none
public record CallOptions(@Nullable Duration timeout, @Nullable String traceparent, @Nullable Callback callback) {
    /// No options.
    public static final CallOptions DEFAULT = new CallOptions(null, null);

    /// Checks the timeout.
    public CallOptions {
        if (timeout != null && (timeout.isNegative() || timeout.isZero()))
            throw new IllegalArgumentException("timeout must be positive, got " + timeout);
    }

    /// Options of a call without callback.
    public CallOptions(@Nullable Duration timeout, @Nullable String traceparent) {
        this(timeout, traceparent, null);
    }

    /// With this timeout.
    public static CallOptions within(Duration timeout) {
        return new CallOptions(timeout, null);
    }
}
