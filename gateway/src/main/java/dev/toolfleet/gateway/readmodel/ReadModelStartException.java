package dev.toolfleet.gateway.readmodel;

/// Failure of the read model's start; nothing of it runs. The message is one line for a person: the problem and the way
/// out.
public final class ReadModelStartException extends RuntimeException {
    ReadModelStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
