package dev.toolfleet.cli.letter;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.toolfleet.client.audit.ChainedProducer;
import dev.toolfleet.client.letter.Fate;
import dev.toolfleet.client.letter.LetterAddress;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.client.topics.WrittenRecords;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/// Writes what operators do with dead letters: the record again, the mark, the audit event, all or nothing. There is
/// one transactional id in a fleet, so that who claims it last ends what others have under way. Every method throws the
/// exceptions of Kafka's producer. For one thread.
final class LetterTransaction implements AutoCloseable {
    private static final WireCodec<AuditEvent> CODEC = WireCodec.of(AuditEvent.class);
    private static final String SOURCE = "/toolfleet/dlq";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration CLOSE = Duration.ofSeconds(5);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
    /// Headers that a letter has beside those of its record.
    private static final Set<String> LETTERS_OWN = Set.of(WireHeaders.REASON, WireHeaders.ORIGIN, WireHeaders.WORKER,
            WireHeaders.ATTEMPT);

    private final Topics names;
    private final Map<String, Object> clientProperties;
    private final KafkaProducer<byte[], byte[]> producer;
    private final WrittenRecords written = new WrittenRecords();

    LetterTransaction(Map<String, Object> clientProperties, Topics names) {
        this.names = names;
        this.clientProperties = clientProperties;
        Map<String, Object> config = new HashMap<>(clientProperties);
        config.put("transactional.id", names.name(Topic.DEAD_LETTER) + ".operator");
        config.put("transaction.timeout.ms", millis(TIMEOUT));
        config.put("max.block.ms", millis(TIMEOUT));
        config.put("request.timeout.ms", millis(REQUEST_TIMEOUT));
        config.put("delivery.timeout.ms", millis(TIMEOUT));
        config.put("linger.ms", 0);
        // What its producer had to compress has to be compressed again.
        config.put("compression.type", "gzip");
        config.put("max.request.size", 2 * Topic.MAX_WRAPPING_RECORD_BYTES);
        producer = new ChainedProducer(config, names.name(Topic.AUDIT), SOURCE, false);
    }

    /// Ends what another has under way; afterwards what others did is committed or nothing.
    void claim() {
        producer.initTransactions();
    }

    void begin() {
        producer.beginTransaction();
    }

    /// Number of a topic's partitions.
    int partitions(String topic) {
        return producer.partitionsFor(topic).size();
    }

    /// Writes the record of a letter as it was.
    ///
    /// @param partition null leaves it to the key
    void replay(ConsumerRecord<byte[], byte[]> letter, String topic, @Nullable Integer partition) {
        List<Header> headers = new ArrayList<>();
        for (Header header : letter.headers()) {
            if (!LETTERS_OWN.contains(header.key()))
                headers.add(header);
        }
        written.add(producer.send(new ProducerRecord<>(topic, partition, letter.key(), letter.value(), headers)));
    }

    /// Writes what was done, behind the letter and for auditors.
    void mark(LetterAddress letter, Fate fate) {
        String topic = names.name(Topic.DEAD_LETTER);
        String target = topic + "/" + letter.partition() + "/" + letter.offset();
        byte[] event = CODEC.write(new AuditEvent(AuditEvent.Kind.OPERATOR, fate.word().action(), fate.by(),
                fate.note(), target, null, null, null, null, null, null, false, null, fate.at()));
        Map<String, String> headers = headers(target, fate.at());
        byte[] key = target.getBytes(StandardCharsets.UTF_8);
        written.add(producer.send(new ProducerRecord<>(names.name(Topic.AUDIT), null, key, event,
                KafkaHeaders.of(headers))));
        headers.put(WireHeaders.REASON, fate.word().text());
        headers.put(WireHeaders.ORIGIN, target);
        written.add(producer.send(
                new ProducerRecord<>(topic, letter.partition(), key, event, KafkaHeaders.of(headers))));
    }

    private static Map<String, String> headers(String target, Instant at) {
        return WireHeaders.cloudEvent(EventType.TOOL_AUDIT, UUID.randomUUID().toString(), SOURCE, target, at, null);
    }

    /// Makes it so; throws what a write failed with.
    void commit() {
        producer.commitTransaction();
        written.committed();
    }

    /// Takes back what was written since [#begin].
    void abort() {
        producer.abortTransaction();
        written.aborted();
    }

    /// Ends the producer, and returns when others can read what was committed. Bounded: a close without bound waits for
    /// a broker that may never answer.
    @Override
    public void close() {
        producer.close(CLOSE);
        written.awaitReadable(clientProperties, TIMEOUT);
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}
