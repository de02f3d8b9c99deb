package dev.toolfleet.client;

import org.jspecify.annotations.Nullable;

/// Why the client could not bring what was asked of it. A call that *failed* is not one of these: its result has status
/// `error`.
public final class ToolFleetClientException extends RuntimeException {
    private final Reason reason;

    /// What happened, for code that decides by it.
    public enum Reason {
        /// Nothing came within the time given. The call may still run, and its result may still come: it can be awaited
        /// again from a stored position.
        TIMEOUT,
        /// The record did not reach the broker, as far as is known.
        NOT_SENT,
        /// The client was closed, or can read no more. What was open goes on in the fleet.
        CLOSED,
        /// The listener is too slow; results were not delivered to it.
        OVERFLOW
    }

    ToolFleetClientException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /// What happened.
    public Reason reason() {
        return reason;
    }
}
