package dev.toolfleet.cli.command;

import dev.toolfleet.embedded.EmbeddedKafkaException;

/// Presence of the broker for development. The executable jar has it; the images for production do not.
final class EmbeddedBroker {
    private static final boolean PRESENT = EmbeddedBroker.class
            .getResource("/dev/toolfleet/embedded/EmbeddedKafka.class") != null;

    private EmbeddedBroker() {}

    /// True if commands that start a broker exist.
    static boolean isPresent() {
        return PRESENT;
    }

    /// True if the broker failed.
    static boolean failed(Throwable thrown) {
        // The class is looked for when this is evaluated.
        return PRESENT && thrown instanceof EmbeddedKafkaException;
    }
}
