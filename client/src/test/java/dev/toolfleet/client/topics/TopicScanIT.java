package dev.toolfleet.client.topics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// A broker with a topic whose transactions are committed, aborted and open.
@EmbeddedKafkaTest
class TopicScanIT {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final KafkaFixture kafka;
    private final String topic;
    private final List<TopicPartition> partitions;

    TopicScanIT(KafkaFixture kafka) {
        this.kafka = kafka;
        this.topic = kafka.create("scanned", 2);
        this.partitions = TopicScan.partitions(topic, 2);
    }

    private Map<String, Object> client() {
        return Map.of("bootstrap.servers", kafka.bootstrapServers());
    }

    private TopicScan scan() {
        return TopicScan.open(client(), LONG, TopicScan.Gauge.SILENT);
    }

    private KafkaProducer<String, String> producer() {
        Map<String, Object> properties = new HashMap<>(kafka.producerProperties());
        properties.put("transactional.id", kafka.newGroup());
        KafkaProducer<String, String> producer = new KafkaProducer<>(properties);
        producer.initTransactions();
        return producer;
    }

    private void begin(KafkaProducer<String, String> producer, String... values) {
        producer.beginTransaction();
        for (String value : values) {
            var _ = producer.send(new ProducerRecord<>(topic, 0, "k", value));
        }
        producer.flush();
    }

    private static String text(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.value(), UTF_8);
    }

    @Test
    void aReadEndsBehindMarkersAndInAnEmptyPartition() {
        List<String> read = new ArrayList<>();
        AtomicLong behind = new AtomicLong(-1);
        try (KafkaProducer<String, String> producer = producer();
                TopicScan scan = TopicScan.open(client(), LONG,
                        (name, done, all) -> behind.set(name.equals(topic) ? all - done : -2))) {
            begin(producer, "kept", "too");
            producer.commitTransaction();
            begin(producer, "aborted");
            producer.abortTransaction();
            Map<TopicPartition, Long> end = scan.read(scan.beginnings(partitions), record -> read.add(text(record)));

            assertThat(read).containsExactly("kept", "too");
            assertThat(end).containsEntry(partitions.get(1), 0L).containsEntry(partitions.getFirst(), 5L);
            assertThat(behind).as("the gauge's last word").hasValue(0);
            assertThat(scan.read(end, record -> read.add("nothing"))).isEqualTo(end);
            assertThat(scan.read(Map.of(), end, record -> read.add("nothing"))).isEqualTo(end);
            assertThat(read).hasSize(2);
        }
    }

    @Test
    void aReadStopsAtItsEndAlthoughRecordsFollow() {
        List<String> read = new ArrayList<>();
        try (KafkaProducer<String, String> producer = producer(); TopicScan scan = scan()) {
            begin(producer, "a", "b", "c", "d");
            producer.commitTransaction();
            scan.read(Map.of(partitions.getFirst(), 1L), Map.of(partitions.getFirst(), 3L),
                    record -> read.add(text(record)));
        }
        assertThat(read).containsExactly("b", "c");
    }

    @Test
    void anOpenTransactionIsWaitedForByReadersOfCommittedRecordsAlone() {
        List<String> read = new ArrayList<>();
        try (KafkaProducer<String, String> producer = producer();
                TopicScan everything = TopicScan.ofEverything(client(), LONG);
                TopicScan hasty = TopicScan.open(client(), Duration.ofMillis(1500), TopicScan.Gauge.SILENT)) {
            begin(producer, "open");
            Map<TopicPartition, Long> from = everything.beginnings(partitions);
            everything.read(from, record -> read.add(text(record)));
            assertThat(read).containsExactly("open");

            assertThat(hasty.ends(partitions)).as("what is committed").containsEntry(partitions.getFirst(), 0L);
            Map<TopicPartition, Long> written = hasty.writtenEnds(partitions);
            assertThat(written).containsEntry(partitions.getFirst(), 1L);
            assertThatThrownBy(() -> hasty.read(from, written, record -> read.add("committed")))
                    .isInstanceOf(TimeoutException.class).hasMessageContaining(topic).hasMessageContaining("1 offsets");
            producer.commitTransaction();
            hasty.read(from, written, record -> read.add("committed"));
            assertThat(read).containsExactly("open", "committed");
        }
    }

    @Test
    void aFollowerReadsOnUntilItIsStopped() {
        List<String> read = new ArrayList<>();
        try (KafkaProducer<String, String> producer = producer();
                TopicScan scan = TopicScan.following(client(), LONG, partitions)) {
            begin(producer, "first");
            producer.commitTransaction();
            while (!scan.isAt(Map.of(partitions.getFirst(), 1L)))
                scan.poll(Duration.ofMillis(100)).forEach(record -> read.add(text(record)));
            assertThat(read).containsExactly("first");

            begin(producer, "second", "third");
            producer.commitTransaction();
            scan.readRest(record -> read.add(text(record)));
            assertThat(read).containsExactly("first", "second", "third");

            scan.stop();
            assertThatThrownBy(() -> scan.poll(LONG)).isInstanceOf(WakeupException.class);
        }
    }
}
