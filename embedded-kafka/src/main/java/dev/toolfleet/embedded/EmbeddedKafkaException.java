package dev.toolfleet.embedded;

/// Failure to start the broker or to release its data folder. The message names the problem and the way out.
public final class EmbeddedKafkaException extends RuntimeException {

    EmbeddedKafkaException(String message) {
        super(message);
    }

    EmbeddedKafkaException(String message, Throwable cause) {
        super(message, cause);
    }
}
