package dev.toolfleet.client.topics;

/// Failure of the broker or the fleet's topics to meet a process's needs. The message is one line for a person: the
/// problem and the way out.
public final class FleetTopicsException extends RuntimeException {
    /// Makes a failure with its message.
    public FleetTopicsException(String message) {
        super(message);
    }

    /// Makes a failure with its message and the cause from the broker or client.
    public FleetTopicsException(String message, Throwable cause) {
        super(message, cause);
    }
}
