package dev.toolfleet.cli.bundle;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.terminal.Failure;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes bundles to `tool.resource`: each as one revision, in one Kafka
/// transaction. Of two who apply one bundle at
/// once the later one wins, and the earlier one fails. Thread-safe.
public final class BundlePublisher {
    private static final Logger LOG = LoggerFactory.getLogger(BundlePublisher.class);
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

    private final String topic;
    private final Map<String, Object> clientProperties;
    private final InstantSource clock;

    /// @param topic
    ///            the name of `tool.resource`, which exists
    /// @param clientProperties
    ///            how to reach Kafka
    public BundlePublisher(String topic, Map<String, Object> clientProperties, InstantSource clock) {
        this.topic = topic;
        this.clientProperties = Map.copyOf(clientProperties);
        this.clock = clock;
    }

    /// Makes the bundle consist of these resources.
    ///
    /// @throws Failure
    ///             when the broker does not let it
    public AppliedRevision publish(String bundle, List<RevisionPlan.Declared> resources) {
        try (var producer = new KafkaProducer<>(producerConfig(bundle), new ByteArraySerializer(),
                new ByteArraySerializer())) {
            // Before reading: it ends what an earlier writer left open, and fences it.
            producer.initTransactions();
            ResourceTable before = read();
            RevisionPlan plan = RevisionPlan.of(bundle, resources, before);
            AppliedRevision applied = RevisionChanges.of(plan, before);
            if (plan.changes())
                write(producer, plan);
            return applied;
        } catch (ProducerFencedException | InvalidProducerEpochException e) {
            throw Failure.failed("someone else applied the bundle " + bundle + " at the same moment; apply it again",
                    e);
        } catch (KafkaException e) {
            throw Failure.failed("the bundle " + bundle + " could not be applied at "
                    + clientProperties.get("bootstrap.servers") + ": " + e.getMessage(), e);
        }
    }

    private void write(KafkaProducer<byte[], byte[]> producer, RevisionPlan plan) {
        producer.beginTransaction();
        for (RevisionPlan.Entry entry : plan.entries()) {
            byte[] key = entry.key().getBytes(StandardCharsets.UTF_8);
            ResourceRecord value = entry.value();
            Map<String, String> headers = WireHeaders.cloudEvent(EventType.TOOL_RESOURCE,
                    entry.key() + "@" + plan.revision(), "/toolfleet/apply", entry.key(), clock.instant(), null);
            // The commit throws what a send failed with.
            var _ = producer.send(new ProducerRecord<>(topic, 0, key, value == null ? null : CODEC.write(value),
                    KafkaHeaders.of(headers)));
        }
        producer.commitTransaction();
    }

    private ResourceTable read() {
        ResourceTable table = new ResourceTable();
        TopicPartition partition = new TopicPartition(topic, 0);
        long giveUp = System.nanoTime() + TIMEOUT.toNanos();
        try (var consumer = new KafkaConsumer<>(consumerConfig(), new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                if (System.nanoTime() - giveUp > 0)
                    throw new TimeoutException("topic " + topic + " could not be read to its end in " + TIMEOUT);
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100)))
                    apply(record, table);
            }
        }
        return table;
    }

    private static void apply(ConsumerRecord<byte[], byte[]> record, ResourceTable table) {
        if (record.key() == null)
            return;
        try {
            table.apply(new String(record.key(), StandardCharsets.UTF_8),
                    record.value() == null ? null : CODEC.read(record.value()));
        } catch (WireFormatException e) {
            LOG.warn("a record of the resource topic is unreadable and left alone; topic={} offset={}", record.topic(),
                    record.offset(), e);
        }
    }

    private Map<String, Object> producerConfig(String bundle) {
        Map<String, Object> config = new HashMap<>(clientProperties);
        config.put("transactional.id", topic + ".apply." + bundle);
        config.put("transaction.timeout.ms", millis(TIMEOUT));
        config.put("max.block.ms", millis(TIMEOUT));
        config.put("request.timeout.ms", millis(REQUEST_TIMEOUT));
        config.put("delivery.timeout.ms", millis(TIMEOUT));
        config.put("linger.ms", 0);
        return config;
    }

    private Map<String, Object> consumerConfig() {
        Map<String, Object> config = new HashMap<>(clientProperties);
        config.put("isolation.level", "read_committed");
        config.put("enable.auto.commit", false);
        config.put("allow.auto.create.topics", false);
        config.put("default.api.timeout.ms", millis(TIMEOUT));
        return config;
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}
