package dev.toolfleet.embedded;

/// The broker could not start, or could not give back its data folder. The message names what was wrong and the way
/// out.
public final class EmbeddedKafkaException extends RuntimeException {

    EmbeddedKafkaException(String message) {
        super(message);
    }

    EmbeddedKafkaException(String message, Throwable cause) {
        super(message, cause);
    }
}
