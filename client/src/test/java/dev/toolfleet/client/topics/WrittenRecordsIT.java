package dev.toolfleet.client.topics;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@EmbeddedKafkaTest
class WrittenRecordsIT {
    private final WrittenRecords written = new WrittenRecords();

    @Test
    void whatWasCommittedCanBeReadAfterwardsAndWhatIsOpenIsNotWaitedForForEver(KafkaFixture kafka) {
        String topic = kafka.create("written", 2);
        Map<String, Object> broker = Map.of("bootstrap.servers", kafka.bootstrapServers());
        Map<String, Object> properties = new HashMap<>(kafka.producerProperties());
        properties.put("transactional.id", kafka.newGroup());
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(properties)) {
            producer.initTransactions();
            for (int round = 1; round <= 20; round++) {
                send(producer, topic);
                producer.commitTransaction();
                written.committed();
                assertThat(written.awaitReadable(broker, Duration.ofMinutes(1))).isTrue();

                assertThat(ends(kafka, topic)).as("a record and a mark for each").containsOnly(2L * round);
            }
            send(producer, topic);
            producer.flush();
            written.committed();
            assertThat(written.awaitReadable(broker, Duration.ofMillis(300))).as("it is not").isFalse();

            assertThat(ends(kafka, topic)).as("still open").containsOnly(40L);
            producer.abortTransaction();
        }
    }

    @Test
    void whereNobodyAnswersItIsNotKnown() {
        TopicPartition partition = new TopicPartition("t", 0);
        for (String nobody : List.of("localhost:1", "no-broker.invalid:1")) {
            written.add(CompletableFuture.completedFuture(new RecordMetadata(partition, 7, 0, 0, 1, 1)));
            written.committed();
            assertThat(written.awaitReadable(Map.of("bootstrap.servers", nobody), Duration.ofMillis(300))).as(nobody)
                    .isFalse();
        }
    }

    @Test
    void whatWasTakenBackIsNotWaitedFor() {
        written.add(new CompletableFuture<>());
        written.aborted();
        written.committed();
        assertThat(written.awaitReadable(Map.of("bootstrap.servers", "localhost:1"), Duration.ofMinutes(5))).isTrue();
    }

    private void send(KafkaProducer<String, String> producer, String topic) {
        producer.beginTransaction();
        for (int partition = 0; partition < 2; partition++)
            written.add(producer.send(new ProducerRecord<>(topic, partition, "k", "v")));
    }

    private static Iterable<Long> ends(KafkaFixture kafka, String topic) {
        Map<String, Object> properties = new HashMap<>(kafka.consumerProperties(kafka.newGroup()));
        properties.put("isolation.level", "read_committed");
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(properties)) {
            return List.copyOf(consumer.endOffsets(List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1)))
                    .values());
        }
    }
}
