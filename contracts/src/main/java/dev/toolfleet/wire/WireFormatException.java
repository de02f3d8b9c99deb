package dev.toolfleet.wire;

/// Mismatch between a record's bytes and its topic's format.
public final class WireFormatException extends RuntimeException {
    /// Makes a failure with the expected and the found value.
    public WireFormatException(String message) {
        super(message);
    }

    /// Makes a failure with the expected value and the cause.
    public WireFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
