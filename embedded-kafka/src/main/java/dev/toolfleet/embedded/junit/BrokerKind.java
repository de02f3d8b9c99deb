package dev.toolfleet.embedded.junit;

import java.util.Properties;
import java.util.function.BooleanSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;

/// Which broker the tests of a JVM share.
enum BrokerKind {
    /// In this JVM.
    EMBEDDED,
    /// The Apache image, by Testcontainers.
    CONTAINER;

    /// The system property that asks for one: `embedded`, also by default; `container`, which the Maven profile `containers`
    /// sets, and which fails without an engine; or `container-or-embedded`.
    static final String PROPERTY = "toolfleet.test.broker";

    private static final Logger LOG = LoggerFactory.getLogger(BrokerKind.class);

    /// What the property asks for.
    ///
    /// @param engine whether a Docker engine answers; asked only when it matters
    /// @throws IllegalArgumentException for a property that asks for something else
    /// @throws IllegalStateException when it asks for a container and no engine answers: tests that went on without one would
    ///         have tested nothing of it
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
                LOG.atWarn().log("no Docker engine answers, so the tests run on the embedded broker");
                yield EMBEDDED;
            }
            default -> throw new IllegalArgumentException(
                    "the system property " + PROPERTY + " is " + asked
                            + "; it must be embedded, container or container-or-embedded");
        };
    }

    /// Whether containers can be run here.
    static boolean engineAnswers() {
        return DockerClientFactory.instance().isDockerAvailable();
    }
}
