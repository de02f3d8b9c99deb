package dev.toolfleet.streams;

/// Failure of a topology's start; nothing of the topology runs. The message is one line for a person: the problem and
/// the way out.
public final class StreamsStartException extends RuntimeException {
    StreamsStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
