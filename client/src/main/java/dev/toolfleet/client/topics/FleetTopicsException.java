package dev.toolfleet.client.topics;

/// The broker or the fleet's topics are not as a process needs them. The message is one line for a person: what is
/// wrong, and the way out.
public final class FleetTopicsException extends RuntimeException {
    /// Says what is wrong.
    public FleetTopicsException(String message) {
        super(message);
    }

    /// Says what is wrong and what the broker or client reported.
    public FleetTopicsException(String message, Throwable cause) {
        super(message, cause);
    }
}
