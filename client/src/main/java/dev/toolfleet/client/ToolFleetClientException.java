package dev.toolfleet.client;

import org.jspecify.annotations.Nullable;

/// Failure of a request to the client. A call that *failed* is not one of these: its result has status `error`.
public final class ToolFleetClientException extends RuntimeException {
    private final Reason reason;

    /// Reason of the failure, for code that decides by it.
    public enum Reason {
        /// Nothing came within the given time. The call may still run, and its result may still come: it can be awaited
        /// again from a stored position.
        TIMEOUT,
        /// The record did not reach the broker, as far as is known.
        NOT_SENT,
        /// The client was closed, or can read no more. Open calls go on in the fleet.
        CLOSED,
        /// The listener is too slow; results were not delivered to it.
        OVERFLOW
    }

    /// Makes a failure, also for other ways to the fleet than its broker.
    public ToolFleetClientException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /// Returns the reason.
    public Reason reason() {
        return reason;
    }
}
