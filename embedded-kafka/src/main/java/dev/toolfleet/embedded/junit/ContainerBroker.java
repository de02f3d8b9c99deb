package dev.toolfleet.embedded.junit;

import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

import dev.toolfleet.embedded.EmbeddedKafkaConfig;
import org.apache.kafka.common.utils.AppInfoParser;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/// A broker in a container: the Apache image of the client's version, or one that stands in for it, with the settings of
/// the embedded broker.
///
/// Only a JVM that uses it needs Testcontainers on its class path.
final class ContainerBroker implements AutoCloseable {

    /// The system property that names another image, such as the one of `docker/local-kafka`. Testcontainers pulls what
    /// the engine does not have.
    static final String IMAGE_PROPERTY = "toolfleet.test.image";

    private final KafkaContainer container;

    private ContainerBroker(KafkaContainer container) {
        this.container = container;
    }

    /// Starts one; returns when it answers.
    static ContainerBroker start(EmbeddedKafkaConfig config) {
        DockerImageName image = DockerImageName.parse(image(System.getProperties()))
                .asCompatibleSubstituteFor("apache/kafka");
        KafkaContainer container = new KafkaContainer(image).withEnv(environment(config.brokerSettings()));
        container.start();
        return new ContainerBroker(container);
    }

    /// The image's name and version.
    static String image(Properties properties) {
        return properties.getProperty(IMAGE_PROPERTY, "apache/kafka:" + AppInfoParser.getVersion());
    }

    /// Returns broker settings as the variables that the image reads. An empty variable would remove a setting.
    static Map<String, String> environment(Map<String, String> settings) {
        return settings.entrySet().stream().filter(setting -> !setting.getValue().isEmpty()).collect(Collectors.toMap(
                setting -> "KAFKA_" + setting.getKey().toUpperCase(Locale.ROOT).replace('.', '_'),
                Map.Entry::getValue));
    }

    String bootstrapServers() {
        return container.getBootstrapServers();
    }

    @Override
    public void close() {
        container.stop();
    }
}
