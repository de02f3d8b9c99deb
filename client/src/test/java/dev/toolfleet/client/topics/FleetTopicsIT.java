package dev.toolfleet.client.topics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@EmbeddedKafkaTest
class FleetTopicsIT {
    private static final OptionalInt ONE = OptionalInt.of(1);
    private final KafkaFixture kafka;
    private final Topics names;
    private final FleetTopics topics;

    FleetTopicsIT(KafkaFixture kafka) {
        this.kafka = kafka;
        this.names = new Topics(kafka.prefix());
        this.topics = new FleetTopics(names, Map.of("bootstrap.servers", kafka.bootstrapServers()),
                Duration.ofMinutes(1));
    }

    @Test
    void createdTopicsPassTheCheckAndAreLeftAloneTheNextTime() throws Exception {
        TopicsReport first = topics.create(OptionalInt.of(3), ONE);
        TopicsReport second = topics.create(OptionalInt.empty(), ONE);

        assertThat(first.created()).hasSize(Topic.values().length);
        assertThat(second.created()).isEmpty();
        assertThat(second.existing()).contains(names.name(Topic.CALL), names.name(Topic.RESOURCE));
        PartitionCounts counts = topics.check();
        assertThat(counts.groupA()).isEqualTo(3);
        assertThat(counts.of(Topic.RESOURCE)).isEqualTo(1);
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, names.name(Topic.RESULT));
        var configs = kafka.admin().describeConfigs(List.of(resource)).all().get(60, TimeUnit.SECONDS);
        assertThat(configs.values()).singleElement().extracting(config -> config.get("message.timestamp.type").value())
                .isEqualTo("LogAppendTime");
    }

    @Test
    void aMissingTopicIsNamedWithTheCommandThatCreatesIt() {
        assertThatThrownBy(() -> topics.check(List.of(Topic.CALL))).isInstanceOf(FleetTopicsException.class)
                .hasMessageContaining("a topic is missing").hasMessageContaining("'" + names.name(Topic.CALL) + "'")
                .hasMessageContaining("`toolfleet topics create`");
    }

    @Test
    void nothingIsCreatedBesideATopicOfAnotherCount() throws Exception {
        kafka.create("tool.result", 2);

        assertThatThrownBy(() -> topics.create(OptionalInt.of(4), ONE)).isInstanceOf(FleetTopicsException.class)
                .hasMessageContaining("'" + names.name(Topic.CALL) + "' has 4")
                .hasMessageContaining("'" + names.name(Topic.RESULT) + "' has 2");
        assertThat(kafka.admin().listTopics().names().get(60, TimeUnit.SECONDS)).doesNotContain(names.name(Topic.CALL));
    }

    @Test
    void aCountThatWasChangedEverywhereIsRefusedUntilItIsAccepted() throws Exception {
        topics.create(OptionalInt.of(2), ONE);
        for (Topic topic : Topic.values()) {
            if (topic.group() == Topic.Group.A)
                kafka.admin().createPartitions(Map.of(names.name(topic), NewPartitions.increaseTo(3))).all().get(10,
                        TimeUnit.SECONDS);
        }

        Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThatThrownBy(topics::check)
                .isInstanceOf(FleetTopicsException.class).hasMessageContaining("were created with 2")
                .hasMessageContaining("have 3 partitions").hasMessageContaining("--partitions 3"));
        assertThatThrownBy(() -> topics.create(OptionalInt.empty(), ONE)).hasMessageContaining("were created with 2");

        assertThatThrownBy(() -> topics.create(OptionalInt.of(2), ONE)).as("as at every deployment")
                .hasMessageContaining("were created with 2");

        topics.create(OptionalInt.of(3), ONE);
        assertThat(topics.check().groupA()).isEqualTo(3);
    }

    @Test
    void aPendingTopicThatWasGrownIsRefusedUntilItIsAccepted() throws Exception {
        topics.withPendingPartitions(3).create(OptionalInt.of(2), ONE);
        assertThat(topics.check().of(Topic.PENDING)).as("a fresh fleet may have any count").isEqualTo(3);
        kafka.admin().createPartitions(Map.of(names.name(Topic.PENDING), NewPartitions.increaseTo(5))).all().get(60,
                TimeUnit.SECONDS);

        Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThatThrownBy(topics::check)
                .isInstanceOf(FleetTopicsException.class)
                .hasMessageContaining("'" + names.name(Topic.PENDING) + "' has 5 partitions")
                .hasMessageContaining("recorded with 3").hasMessageContaining("docs/operations.md"));
        assertThatThrownBy(() -> topics.create(OptionalInt.of(2), ONE)).hasMessageContaining("recorded with 3");

        topics.withPendingPartitions(5).create(OptionalInt.empty(), ONE);
        assertThat(topics.check().of(Topic.PENDING)).isEqualTo(5);
    }

    @Test
    void settingsThatWouldLoseRecordsAreNamedWithTheCommandThatRepairsThem() throws Exception {
        topics.create(ONE, ONE);
        assertThat(topics.check(TopicRole.WORKER).groupA()).isEqualTo(1);
        assertThat(topics.check(TopicRole.CATALOG).groupA()).isEqualTo(1);

        change(Topic.JOURNAL, "cleanup.policy", "delete");
        change(Topic.RESULT, "max.message.bytes", "1000");

        Awaitility
                .await().atMost(
                        Duration.ofMinutes(1))
                .untilAsserted(() -> assertThatThrownBy(() -> topics.check(TopicRole.WORKER))
                        .isInstanceOf(FleetTopicsException.class)
                        .hasMessageContaining(
                                "topic '" + names.name(Topic.JOURNAL) + "' has cleanup.policy=delete and needs"
                                        + " compact")
                        .hasMessageContaining("kafka-configs.sh --bootstrap-server " + kafka.bootstrapServers()
                                + " --alter --topic " + names.name(Topic.JOURNAL)
                                + " --add-config cleanup.policy=compact")
                        .hasMessageContaining("'" + names.name(Topic.RESULT) + "' has max.message.bytes=1000"));
    }

    private void change(Topic topic, String key, String value) throws Exception {
        var resource = new ConfigResource(ConfigResource.Type.TOPIC, names.name(topic));
        var op = new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
        kafka.admin().incrementalAlterConfigs(Map.of(resource, List.of(op))).all().get(60, TimeUnit.SECONDS);
    }

    @Test
    void tooFewBrokersForTheReplicationIsOneLine() {
        assertThatThrownBy(() -> topics.create(ONE, OptionalInt.of(3))).isInstanceOf(FleetTopicsException.class)
                .hasMessageContaining("could not be created").hasMessageContaining(kafka.bootstrapServers())
                .message().doesNotContain("\n");
    }

    @Test
    void aBrokerThatDoesNotAnswerIsNamedWithinTheTimeout() {
        FleetTopics unreachable = new FleetTopics(names, Map.of("bootstrap.servers", "127.0.0.1:9"),
                Duration.ofSeconds(2));

        long start = System.nanoTime();
        assertThatThrownBy(unreachable::check).isInstanceOf(FleetTopicsException.class)
                .hasMessageContaining("no Kafka broker answered at bootstrap.servers=127.0.0.1:9 within 2 s");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).as("not the admin client's minute")
                .isLessThan(Duration.ofSeconds(45));
    }

    @Test
    void anAddressThatIsNoneIsNamed() {
        FleetTopics wrong = new FleetTopics(names, Map.of("bootstrap.servers", "no-port"), Duration.ofSeconds(2));

        assertThatThrownBy(wrong::check).isInstanceOf(FleetTopicsException.class).hasMessageContaining("no-port");
    }
}
