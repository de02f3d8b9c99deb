package dev.toolfleet.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Timeout(300)
class BrokerClusterIT {

    private static final EmbeddedKafkaConfig CONFIG = EmbeddedKafkaConfig.temporary().withPartitions(3)
            .withProperty("broker.session.timeout.ms", "3000");

    @Test
    void twoOfThreeBrokersGoOnWithTransactionsAndTheThirdComesBack(@TempDir Path folder) throws Exception {
        try (BrokerCluster cluster = BrokerCluster.start(3, CONFIG, folder);
                Clients clients = new Clients(cluster.bootstrapServers());
                var producer = clients.transactionalProducer("t")) {
            clients.createTopic("orders");
            producer.initTransactions();
            clients.inTransaction(producer, "orders", "before", true);
            assertThat(describe(cluster, "orders").partitions())
                    .allSatisfy(partition -> assertThat(partition.replicas()).hasSize(3));
            assertThat(describe(cluster, "__transaction_state").partitions())
                    .allSatisfy(partition -> assertThat(partition.replicas()).hasSize(3));
            assertThat(clients.topicConfig("orders", "min.insync.replicas")).isEqualTo("2");

            cluster.broker(2).kill();
            clients.inTransaction(producer, "orders", "without", true);
            cluster.broker(2).restart();
            cluster.awaitComplete(Duration.ofSeconds(60));
            cluster.broker(3).kill();
            clients.inTransaction(producer, "orders", "after", true);

            assertThat(clients.readAsGroup("g", "orders", 3)).containsExactly("before", "without", "after");
        }
    }

    private static TopicDescription describe(BrokerCluster cluster, String topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            return Objects.requireNonNull(admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic));
        }
    }

    @Test
    void aPortOfOneBrokerIsRefused(@TempDir Path folder) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BrokerCluster.start(3, CONFIG.withPort(20_001), folder))
                .withMessageContaining("20001");
    }
}
