package dev.toolfleet.embedded.junit;

import java.util.Map;
import java.util.Properties;

import dev.toolfleet.embedded.EmbeddedKafkaConfig;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class BrokerKindTest {

    @Test
    void testsRunOnTheEmbeddedBrokerUnlessAskedOtherwiseAndNoEngineIsLookedForThen() {
        assertThat(BrokerKind.chosen(new Properties(), () -> {
            throw new AssertionError("looked for an engine");
        })).isEqualTo(BrokerKind.EMBEDDED);
    }

    @Test
    void aContainerIsUsedWhereAnEngineAnswers() {
        assertThat(BrokerKind.chosen(asking("container"), () -> true)).isEqualTo(BrokerKind.CONTAINER);
        assertThat(BrokerKind.chosen(asking("container-or-embedded"), () -> true)).isEqualTo(BrokerKind.CONTAINER);
        assertThat(BrokerKind.chosen(asking("container-or-embedded"), () -> false)).isEqualTo(BrokerKind.EMBEDDED);
    }

    // Otherwise: a build that expects containers tests none.
    @Test
    void whoAsksForContainersAloneFailsWithoutAnEngine() {
        assertThatIllegalStateException().isThrownBy(() -> BrokerKind.chosen(asking("container"), () -> false))
                .withMessageContaining("container-or-embedded");
    }

    @Test
    void anythingElseIsRefusedByName() {
        assertThatIllegalArgumentException().isThrownBy(() -> BrokerKind.chosen(asking("docker"), () -> true))
                .withMessageContaining("toolfleet.test.broker").withMessageContaining("docker");
    }

    @Test
    void theContainerHasTheSettingsOfTheEmbeddedBroker() {
        Map<String, String> variables = ContainerBroker
                .environment(EmbeddedKafkaConfig.temporary().withPartitions(3).brokerSettings());

        assertThat(variables).containsEntry("KAFKA_NUM_PARTITIONS", "3")
                .containsEntry("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false")
                .containsEntry("KAFKA_MESSAGE_MAX_BYTES", "8388608")
                .containsEntry("KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR", "1")
                .containsEntry("KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS", "0")
                .doesNotContainValue("").doesNotContainKeys("KAFKA_LISTENERS", "KAFKA_LOG_DIRS", "KAFKA_NODE_ID");
    }

    @Test
    void theImageIsThatOfTheClientsVersionUnlessAnotherIsNamed() {
        Properties another = new Properties();
        another.setProperty(ContainerBroker.IMAGE_PROPERTY, "localhost/toolfleet-kafka:1");

        assertThat(ContainerBroker.image(new Properties())).isEqualTo("apache/kafka:" + AppInfoParser.getVersion());
        assertThat(ContainerBroker.image(another)).isEqualTo("localhost/toolfleet-kafka:1");
    }

    private static Properties asking(String kind) {
        Properties properties = new Properties();
        properties.setProperty(BrokerKind.PROPERTY, kind);
        return properties;
    }
}
