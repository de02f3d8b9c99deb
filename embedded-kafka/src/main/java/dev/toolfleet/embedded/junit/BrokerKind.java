package dev.toolfleet.embedded.junit;

import java.util.Properties;
import java.util.function.BooleanSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;

/// The kind of broker that the tests of a JVM share.
enum BrokerKind {
    /// In this JVM.
    EMBEDDED,
    /// The Apache image, by Testcontainers.
    CONTAINER;

    /// The system property that selects the kind: `embedded` (the default), `container`, which the Maven profile
    /// `containers` sets and which fails without an engine, or `container-or-embedded`.
    static final String PROPERTY = "toolfleet.test.broker";

    private static final Logger LOG = LoggerFactory.getLogger(BrokerKind.class);

    /// Returns the kind that the property selects.
    ///
    /// @param engine true if a Docker engine answers; called only when needed
    /// @throws IllegalArgumentException for an unknown value of the property
    /// @throws IllegalStateException when the property selects a container and no engine answers: such tests would
    ///         prove nothing about it
    static BrokerKind chosen(Properties properties, BooleanSupplier engine) {
        String asked = properties.getProperty(PROPERTY, "embedded");
        return switch (asked) {
            case "embedded" -> EMBEDDED;
            case "container" -> {
                if (engine.getAsBoolean())
                    yield CONTAINER;
                throw new IllegalStateException(
                        "the system property " + PROPERTY + " is container, and no Docker engine"
                                + " answers; start one, or set it to container-or-embedded");
            }
            case "container-or-embedded" -> {
                if (engine.getAsBoolean())
                    yield CONTAINER;
                LOG.atWarn().log("no Docker engine answers: the tests run on the embedded broker");
                yield EMBEDDED;
            }
            default -> throw new IllegalArgumentException(
                    "the system property " + PROPERTY + " is " + asked
                            + "; it must be embedded, container or container-or-embedded");
        };
    }

    /// True if containers can run here.
    static boolean engineAnswers() {
        return DockerClientFactory.instance().isDockerAvailable();
    }
}
