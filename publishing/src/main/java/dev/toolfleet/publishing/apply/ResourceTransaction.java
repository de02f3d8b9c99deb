package dev.toolfleet.publishing.apply;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

import dev.toolfleet.client.audit.ChainedProducer;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.client.topics.WrittenRecords;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// One transaction on `tool.resource`: first [#read], which ends what an earlier writer of that name left open and
/// fences it, then [#begin], writes, [#commit]. Every method throws the exceptions of Kafka's producer. For one thread.
public final class ResourceTransaction implements AutoCloseable {
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration CLOSE = Duration.ofSeconds(5);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

    private final String topic;
    private final Map<String, Object> clientProperties;
    private final InstantSource clock;
    private final KafkaProducer<byte[], byte[]> producer;
    private final WrittenRecords written = new WrittenRecords();

    /// A transaction that writes no audit.
    ///
    /// @param topic the name of `tool.resource`, which exists
    /// @param clientProperties how to reach Kafka
    /// @param writer who writes: of several with one name only the last one gets through
    public ResourceTransaction(String topic, Map<String, Object> clientProperties, String writer,
            InstantSource clock) {
        this(topic, clientProperties, clock, new KafkaProducer<>(config(clientProperties, topic + "." + writer),
                new ByteArraySerializer(), new ByteArraySerializer()));
    }

    private ResourceTransaction(String topic, Map<String, Object> clientProperties, InstantSource clock,
            KafkaProducer<byte[], byte[]> producer) {
        this.topic = topic;
        this.clientProperties = clientProperties;
        this.clock = clock;
        this.producer = producer;
    }

    /// A transaction whose records on `tool.audit` are chained.
    ///
    /// @param source who writes, as CloudEvents say it
    public static ResourceTransaction audited(Topics topics, Map<String, Object> clientProperties, String writer,
            String source, InstantSource clock) {
        String topic = topics.name(Topic.RESOURCE);
        return new ResourceTransaction(topic, clientProperties, clock, new ChainedProducer(
                config(clientProperties, topic + "." + writer), topics.name(Topic.AUDIT), source, false));
    }

    /// The topic, read to its end.
    public ResourceTable read() {
        producer.initTransactions();
        return new ResourceReader(topic, clientProperties).readToEnd();
    }

    /// Begins the transaction.
    public void begin() {
        producer.beginTransaction();
    }

    /// Writes a plan's entries.
    ///
    /// @param source who writes, as CloudEvents say it
    public void write(RevisionPlan plan, String source) {
        for (RevisionPlan.Entry entry : plan.entries()) {
            ResourceRecord value = entry.value();
            send(topic, 0, entry.key(), value == null ? null : CODEC.write(value),
                    WireHeaders.cloudEvent(EventType.TOOL_RESOURCE, entry.key() + "@" + plan.revision(), source,
                            entry.key(), clock.instant(), null));
        }
    }

    /// Writes a record to another topic.
    ///
    /// @param to the topic's name
    public void write(String to, String key, byte[] value, Map<String, String> headers) {
        send(to, null, key, value, headers);
    }

    /// Makes it so.
    public void commit() {
        producer.commitTransaction();
        written.committed();
    }

    /// Ends the producer, and returns when others can read what was committed. Bounded: a close without bound waits for
    /// a broker that may never answer.
    @Override
    public void close() {
        producer.close(CLOSE);
        written.awaitReadable(clientProperties, TIMEOUT);
    }

    private void send(String to, @Nullable Integer partition, String key, byte @Nullable [] value,
            Map<String, String> headers) {
        // The commit throws what a send failed with.
        written.add(producer.send(new ProducerRecord<>(to, partition, key.getBytes(StandardCharsets.UTF_8), value,
                KafkaHeaders.of(headers))));
    }

    private static Map<String, Object> config(Map<String, Object> clientProperties, String transactionalId) {
        Map<String, Object> config = new HashMap<>(clientProperties);
        config.put("transactional.id", transactionalId);
        config.put("transaction.timeout.ms", millis(TIMEOUT));
        config.put("max.block.ms", millis(TIMEOUT));
        config.put("request.timeout.ms", millis(REQUEST_TIMEOUT));
        config.put("delivery.timeout.ms", millis(TIMEOUT));
        config.put("linger.ms", 0);
        return config;
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}
