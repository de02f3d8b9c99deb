package dev.toolfleet.streams;

/// A topology did not start, and nothing of it runs. The message is one line for a person: what is wrong, and the way
/// out.
public final class StreamsStartException extends RuntimeException {
    StreamsStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
