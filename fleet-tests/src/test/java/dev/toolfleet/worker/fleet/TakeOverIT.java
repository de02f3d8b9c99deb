package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.worker.app.Worker;
import dev.toolfleet.worker.poll.DeadWorkers;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/// Take-over of a worker's partitions by the next one.
@EmbeddedKafkaTest
class TakeOverIT {
    @TempDir
    private Path folder;

    @Test
    void bitmapOfACommitSparesTheNextWorkerWhatWasDone(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 1).with("drain.timeout", "0s")) {
            fleet.announce("slow", "s1");
            fleet.announce("quick", "s1");
            List<ToolCall> quick = IntStream.range(0, 20)
                    .mapToObj(n -> call("q" + n, "t__held", "quick", Map.of("tag", tag))).toList();
            fleet.sendAll(Stream.concat(Stream.of(call("hold", "t__held", "slow", Map.of("tag", tag))), quick.stream())
                    .toList());
            Worker first = fleet.worker("w1");
            fleet.results(20);
            await().atMost(Duration.ofSeconds(60)).until(() -> committed(fleet).metadata().startsWith("tf1:"));
            assertThat(committed(fleet).offset()).as("the slow call holds the frontier").isZero();

            first.close();
            TestTools.probe(tag).gate.countDown();
            fleet.worker("w2");

            List<ToolResult> results = fleet.results(21);
            assertThat(results.stream().map(ToolResult::toolCallId)).doesNotHaveDuplicates().hasSize(21);
            assertThat(TestTools.probe(tag).started.stream().filter(id -> id.startsWith("q")))
                    .as("no quick call ran twice").hasSize(20);
            await().atMost(Duration.ofSeconds(60)).until(() -> committed(fleet).offset() == 21);
        }
    }

    @Test
    void twoWorkersShareTheCallsAndNoneIsLostOrAnsweredTwiceWhenOneStops(KafkaFixture kafka) throws Exception {
        String tag = kafka.prefix();
        try (TestFleet fleet = new TestFleet(kafka, folder, 4)) {
            for (int i = 0; i < 40; i++)
                fleet.announce("i" + i, "s1");
            List<ToolCall> calls = IntStream.range(0, 1_000)
                    .mapToObj(n -> call("c" + n, "t__write", "i" + n % 40, Map.of("tag", tag, "ms", 2))).toList();
            fleet.worker("w1");
            fleet.sendAll(calls.subList(0, 300));
            Worker second = fleet.worker("w2");
            fleet.sendAll(calls.subList(300, 700));
            second.close();
            fleet.sendAll(calls.subList(700, 1_000));

            List<ToolResult> results = fleet.results(1_000);

            assertThat(results.stream().map(ToolResult::toolCallId)).doesNotHaveDuplicates();
            assertThat(TestTools.probe(tag).started).as("a planned stop runs nothing twice").doesNotHaveDuplicates();
            for (int i = 0; i < 40; i++) {
                String instance = "i" + i;
                assertThat(results.stream().filter(result -> result.instanceKey().equals(instance))
                        .map(ToolResult::callOffset)).isSorted();
            }
        }
    }

    @Test
    void transactionThatADeadWorkerLeftOpenDoesNotHoldItsHeirUp(KafkaFixture kafka) throws Exception {
        try (TestFleet fleet = new TestFleet(kafka, folder, 1)) {
            fleet.announce("i", "s1");
            fleet.send(call("c", "t__echo", "i", Map.of()));
            Map<String, Object> properties = kafka.producerProperties();
            properties.put("transactional.id", DeadWorkers.transactionalId(fleet.group(), "dead.worker", 0));
            properties.put("transaction.timeout.ms", 300_000);
            KafkaProducer<byte[], byte[]> dead = new KafkaProducer<>(properties, new ByteArraySerializer(),
                    new ByteArraySerializer());
            dead.initTransactions();
            dead.beginTransaction();
            dead.send(new ProducerRecord<>(fleet.topics.name(Topic.JOURNAL), 0, new byte[]{1}, new byte[]{2})).get();
            try (KafkaConsumer<byte[], byte[]> member = new KafkaConsumer<>(kafka.consumerProperties(fleet.group()),
                    new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
                dead.sendOffsetsToTransaction(
                        Map.of(new TopicPartition(fleet.topics.name(Topic.CALL), 0), new OffsetAndMetadata(1)),
                        member.groupMetadata());
            }

            // Ready long before the transaction would time out.
            fleet.worker("w1");

            assertThat(fleet.results(1)).as("what was never committed does not count").singleElement()
                    .extracting(ToolResult::toolCallId).isEqualTo("c");
            assertThatThrownBy(dead::commitTransaction).isInstanceOf(KafkaException.class);
            dead.close(Duration.ZERO);
        }
    }

    private static OffsetAndMetadata committed(TestFleet fleet) throws Exception {
        TopicPartition partition = new TopicPartition(fleet.topics.name(Topic.CALL), 0);
        OffsetAndMetadata offset = fleet.kafka().admin().listConsumerGroupOffsets(fleet.group())
                .partitionsToOffsetAndMetadata().get().get(partition);
        return offset == null ? new OffsetAndMetadata(0, "") : offset;
    }
}
