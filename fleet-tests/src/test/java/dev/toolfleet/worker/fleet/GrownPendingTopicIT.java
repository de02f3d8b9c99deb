package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.app.Worker;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.StringNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Partitions were added to `tool.pending`: workers refuse to start, nothing of the open handles is touched, and the
/// documented way back ends their calls.
@EmbeddedKafkaTest
class GrownPendingTopicIT {
    private static final WireCodec<Completion> COMPLETIONS = WireCodec.of(Completion.class);

    private final KafkaFixture kafka;
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    GrownPendingTopicIT(KafkaFixture kafka) {
        this.kafka = kafka;
    }

    @Test
    void openCallsSurviveAndTheWorkerSaysWhatToDo() throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 2)) {
            String pending = fleet.topics.name(Topic.PENDING);
            ToolCall call = TestFleet.call("c1", "t__pend", "i", Map.of("handle", "h-1"));
            Worker first = fleet.worker("w1");
            fleet.announce("i", "s1");
            fleet.send(call);
            fleet.result(call, result -> result.status() == ResultStatus.PENDING);
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> !records(states(fleet)).isEmpty());
            first.close();
            kafka.admin().createPartitions(Map.of(pending, NewPartitions.increaseTo(4))).all().get(60,
                    TimeUnit.SECONDS);
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> partitions(pending) == 4);
            Map<TopicPartition, Long> before = ends(fleet);

            assertThatThrownBy(() -> fleet.worker("w1")).hasMessageContaining("'" + pending + "' has 4 partitions")
                    .hasMessageContaining("recorded with 2").hasMessageContaining("docs/operations.md")
                    .message().doesNotContain("StreamsResetter", "\n");
            FleetTopics topics = new FleetTopics(fleet.topics, Map.of("bootstrap.servers", kafka.bootstrapServers()),
                    Duration.ofMinutes(1));
            topics.withPendingPartitions(4).create(OptionalInt.empty(), OptionalInt.of(1));
            assertThatThrownBy(() -> fleet.worker("w1")).as("the state lies in two partitions whatever was recorded")
                    .hasMessageContaining("'" + pending + "' has 4 partitions").hasMessageContaining("has 2")
                    .hasMessageContaining("-completions-").hasMessageContaining("docs/operations.md");
            assertThat(ends(fleet)).as("the state is untouched").isEqualTo(before);

            shrink(pending, topics);
            fleet.worker("w1");
            fleet.send(Topic.COMPLETION, 0, "h-1",
                    COMPLETIONS.write(Completion.completed("h-1", StringNode.valueOf("built"), null)));
            assertThat(fleet.result(call, ToolResult::isFinal).output()).isEqualTo(StringNode.valueOf("built"));
        }
    }

    /// As docs/operations.md describes it for Kafka's own tools.
    private void shrink(String pending, FleetTopics topics) throws Exception {
        List<ConsumerRecord<byte[], byte[]>> kept = records(pending);
        kafka.admin().deleteTopics(List.of(pending)).all().get(60, TimeUnit.SECONDS);
        Awaitility.await().atMost(Duration.ofMinutes(1))
                .until(() -> !kafka.admin().listTopics().names().get(60, TimeUnit.SECONDS).contains(pending));
        topics.withPendingPartitions(2).create(OptionalInt.empty(), OptionalInt.of(1));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(kafka.producerProperties(),
                new ByteArraySerializer(), new ByteArraySerializer())) {
            for (ConsumerRecord<byte[], byte[]> record : kept)
                producer.send(new ProducerRecord<>(pending, null, record.key(), record.value(), record.headers()))
                        .get(60, TimeUnit.SECONDS);
        }
    }

    private static String states(TestFleet fleet) {
        return fleet.group() + "-completions-handles-changelog";
    }

    private int partitions(String topic) throws Exception {
        TopicDescription found = kafka.admin().describeTopics(List.of(topic)).allTopicNames()
                .get(60, TimeUnit.SECONDS).get(topic);
        return found == null ? 0 : found.partitions().size();
    }

    private Map<TopicPartition, Long> ends(TestFleet fleet) throws Exception {
        Map<TopicPartition, OffsetSpec> asked = new LinkedHashMap<>();
        for (String store : List.of("handles", "calls", "due")) {
            for (int number = 0; number < 2; number++)
                asked.put(new TopicPartition(fleet.group() + "-completions-" + store + "-changelog", number),
                        OffsetSpec.latest());
        }
        Map<TopicPartition, Long> ends = new LinkedHashMap<>();
        for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end : kafka.admin().listOffsets(asked).all()
                .get(60, TimeUnit.SECONDS).entrySet())
            ends.put(end.getKey(), end.getValue().offset());
        return ends;
    }

    private List<ConsumerRecord<byte[], byte[]>> records(String topic) throws Exception {
        Optional<TopicDescription> found = kafka.admin().listTopics().names().get(60, TimeUnit.SECONDS).contains(topic)
                ? Optional.ofNullable(kafka.admin().describeTopics(List.of(topic)).allTopicNames()
                        .get(60, TimeUnit.SECONDS).get(topic))
                : Optional.empty();
        if (found.isEmpty())
            return List.of();
        List<TopicPartition> all = found.get().partitions().stream()
                .map(partition -> new TopicPartition(topic, partition.partition())).toList();
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(kafka.consumerProperties(kafka.newGroup()),
                new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            while (all.stream().anyMatch(one -> consumer.position(one) < ends.getOrDefault(one, 0L)))
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
        }
        return records;
    }
}
