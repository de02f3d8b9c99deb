package dev.toolfleet.worker.fleet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.toolfleet.embedded.BrokerCluster;
import dev.toolfleet.embedded.EmbeddedKafkaConfig;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static org.assertj.core.api.Assertions.assertThat;

/// A topic whose leaders are there and refuse to write, because too few of its replicas are in sync. They refuse the
/// markers of an aborted transaction too, so that its transactional id takes no other transaction.
@Timeout(600)
class TooFewReplicasIT {
    private static final EmbeddedKafkaConfig BROKER = EmbeddedKafkaConfig.temporary()
            .withProperty("broker.session.timeout.ms", "3000");

    @TempDir
    private Path folder;

    @Test
    void aTopicWithTooFewReplicasInSyncHoldsThePartitionThatWritesToItOnly() throws Exception {
        try (BrokerCluster brokers = BrokerCluster.start(3, BROKER, folder)) {
            KafkaFixture kafka = KafkaFixture.on(brokers.bootstrapServers(), "few-");
            try (TestFleet fleet = new TestFleet(kafka, folder, 2)) {
                String well = IntStream.range(0, 100).mapToObj(n -> "i" + n)
                        .filter(name -> fleet.partition(name) == 1).findFirst().orElseThrow();
                fleet.announce(well, "s1");
                fleet.worker("w1");
                kafka.admin().incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, fleet.topics.name(Topic.DEAD_LETTER)),
                        List.of(new AlterConfigOp(new ConfigEntry("min.insync.replicas", "3"),
                                AlterConfigOp.OpType.SET))))
                        .all().get();
                brokers.broker(3).kill();
                fleet.send(Topic.CALL, 0, "i", "no call at all".getBytes(StandardCharsets.UTF_8));

                for (int sent = 0; sent < 10; sent++) {
                    fleet.send(call("c" + sent, "t__write", well, Map.of("tag", "few")));
                    assertThat(fleet.results(sent + 1)).hasSize(sent + 1);
                }

                brokers.broker(3).restart();
                brokers.awaitComplete(Duration.ofMinutes(1));
                assertThat(fleet.records(Topic.DEAD_LETTER, 1)).singleElement()
                        .satisfies(letter -> assertThat(letter.value()).asString().isEqualTo("no call at all"));
            }
        }
    }
}
