package dev.toolfleet.client.audit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/// Writers on a broker; their transactions are committed, aborted, refused and left open.
@EmbeddedKafkaTest
@SuppressWarnings("FutureReturnValueIgnored") // The commit throws what a send failed with, and what is missing is seen.
class ChainedProducerIT {
    private final KafkaFixture kafka;
    private final String topic;

    ChainedProducerIT(KafkaFixture kafka) {
        this.kafka = kafka;
        this.topic = kafka.topic(Topic.AUDIT.baseName());
        kafka.create(Topic.AUDIT.baseName(), 2, Topic.AUDIT.config());
    }

    private ChainedProducer producer(String id, boolean closes) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", kafka.bootstrapServers());
        config.put("transactional.id", kafka.prefix() + id);
        config.put("max.request.size", 4 << 20);
        ChainedProducer producer = new ChainedProducer(config, topic, "/test/" + id, closes);
        producer.initTransactions();
        return producer;
    }

    private ProducerRecord<byte[], byte[]> record(int partition, String value) {
        return new ProducerRecord<>(topic, partition, "k".getBytes(UTF_8), value.getBytes(UTF_8));
    }

    private static void transaction(ChainedProducer producer, List<ProducerRecord<byte[], byte[]>> records) {
        producer.beginTransaction();
        records.forEach(producer::send);
        producer.commitTransaction();
    }

    private ChainVerifier verify(List<ChainFinding> findings) {
        try (TopicScan scan = TopicScan.open(Map.of("bootstrap.servers", kafka.bootstrapServers()),
                Duration.ofSeconds(20), TopicScan.Gauge.SILENT)) {
            Map<TopicPartition, Long> from = scan.beginnings(scan.partitions(topic));
            ChainVerifier verifier = new ChainVerifier(Map.of(0, 0L, 1, 0L), findings::add);
            scan.read(from, verifier::accept);
            return verifier;
        }
    }

    @Test
    void abortsRefusalsAndRestartsAreNoTampering() {
        ChainedProducer first = producer("a", true);
        ProducerRecord<byte[], byte[]> retried = record(0, "retried");
        transaction(first, List.of(record(0, "1"), record(1, "1")));
        first.beginTransaction();
        first.send(retried);
        first.send(record(1, "lost"));
        first.flush();
        first.abortTransaction();
        first.beginTransaction();
        first.send(record(0, "x".repeat(2 << 20)));
        assertThatThrownBy(first::commitTransaction).isInstanceOf(KafkaException.class);
        first.abortTransaction();
        transaction(first, List.of(retried, new ProducerRecord<>(topic, "by key".getBytes(UTF_8), new byte[0])));
        // Left open as by a crash; the next producer of the id aborts it.
        first.beginTransaction();
        first.send(record(0, "crash"));
        first.flush();
        ChainedProducer second = producer("a", true);
        transaction(second, List.of(record(0, "1")));
        first.close(Duration.ZERO);
        second.close();
        try (ChainedProducer command = producer("command", false)) {
            transaction(command, List.of(record(1, "once")));
        }

        List<ChainFinding> findings = new ArrayList<>();
        ChainVerifier verifier = verify(findings);

        assertThat(findings).isEmpty();
        assertThat(verifier.unchained()).isZero();
        assertThat(verifier.heads()).filteredOn(head -> head.partition() == 0)
                .extracting(head -> head.writer().replaceFirst("#.*", ""), ChainHead::closed)
                .contains(tuple("/test/a", false), tuple("/test/a", true));
        assertThat(verifier.heads()).filteredOn(head -> head.writer().startsWith("/test/command#"))
                .extracting(ChainHead::sequence, ChainHead::closed).containsExactly(tuple(1L, false));
        assertThat(verifier.records()).as("1 1, retried, by key, 1, its end, once").isEqualTo(7);
    }
}
