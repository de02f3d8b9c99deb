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

    /// The system property that asks for one: `embedded`, also by default, or `container`, which the Maven profile
    /// `containers` sets.
    static final String PROPERTY = "toolfleet.test.broker";

    private static final Logger LOG = LoggerFactory.getLogger(BrokerKind.class);

    /// What the property asks for; embedded where no engine can run the other.
    ///
    /// @param engine whether a Docker engine answers; asked only when it matters
    /// @throws IllegalArgumentException for a property that asks for something else
    static BrokerKind chosen(Properties properties, BooleanSupplier engine) {
        String asked = properties.getProperty(PROPERTY, "embedded");
        return switch (asked) {
            case "embedded" -> EMBEDDED;
            case "container" -> {
                if (engine.getAsBoolean())
                    yield CONTAINER;
                LOG.atWarn().log("no Docker engine answers, so the tests run on the embedded broker");
                yield EMBEDDED;
            }
            default -> throw new IllegalArgumentException(
                    "the system property " + PROPERTY + " is " + asked + "; it must be embedded or container");
        };
    }

    /// Whether containers can be run here.
    static boolean engineAnswers() {
        return DockerClientFactory.instance().isDockerAvailable();
    }
}
