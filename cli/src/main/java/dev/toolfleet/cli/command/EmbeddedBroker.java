package dev.toolfleet.cli.command;

import dev.toolfleet.embedded.EmbeddedKafkaException;

/// Whether the broker for development is there. The executable jar has it; the images for production do not.
final class EmbeddedBroker {
    private static final boolean PRESENT = EmbeddedBroker.class
            .getResource("/dev/toolfleet/embedded/EmbeddedKafka.class") != null;

    private EmbeddedBroker() {}

    /// Whether commands may be made that start one.
    static boolean isPresent() {
        return PRESENT;
    }

    /// Whether it was the broker that failed.
    static boolean failed(Throwable thrown) {
        // The class is looked for when this is evaluated.
        return PRESENT && thrown instanceof EmbeddedKafkaException;
    }
}
