package dev.toolfleet.wire;

/// A record's bytes are not what its topic promises.
public final class WireFormatException extends RuntimeException {
    /// Says what was expected and what stood there.
    public WireFormatException(String message) {
        super(message);
    }

    /// Says what was expected and why reading failed.
    public WireFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
