package dev.toolfleet.catalog.sweep;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.RecentStep;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/// Topics that a sweep reads and writes, and their other writers.
final class SweptTopics implements AutoCloseable {
    private static final int PARTITIONS = 2;
    private static final WireCodec<StepCatalog> STEPS = WireCodec.of(StepCatalog.class);
    private static final WireCodec<PendingCall> HANDLES = WireCodec.of(PendingCall.class);

    private final KafkaFixture kafka;
    private final Topics names;
    private final KafkaProducer<String, byte[]> producer;

    SweptTopics(KafkaFixture kafka) {
        this.kafka = kafka;
        this.names = new Topics(kafka.prefix());
        createWithTheWritersTimes();
        new FleetTopics(names, new HashMap<>(clientProperties()), Duration.ofMinutes(1))
                .create(OptionalInt.of(PARTITIONS), OptionalInt.empty());
        this.producer = new KafkaProducer<>(kafka.producerProperties(), new StringSerializer(),
                new ByteArraySerializer());
    }

    /// The brokers' times cannot be an hour ago. Topics of fleets that were created earlier have the writers' times.
    private void createWithTheWritersTimes() {
        List<NewTopic> created = Stream.of(Topic.CATALOG_CONTENT, Topic.CATALOG_STEP, Topic.PENDING).map(topic -> {
            Map<String, String> settings = new HashMap<>(topic.config());
            settings.put("message.timestamp.type", "CreateTime");
            return new NewTopic(names.name(topic), topic == Topic.CATALOG_CONTENT ? 1 : PARTITIONS, (short) 1)
                    .configs(settings);
        }).toList();
        try {
            kafka.admin().createTopics(created).all().get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the swept topics cannot be created", e);
        }
    }

    Topics names() {
        return names;
    }

    Map<String, String> clientProperties() {
        return Map.of("bootstrap.servers", kafka.bootstrapServers());
    }

    String sweepId() {
        return kafka.topic("sweep");
    }

    Removal removal(TopicReader reader) {
        return Removal.open(new HashMap<>(clientProperties()), sweepId(), contents(), reader);
    }

    KafkaProducer<String, byte[]> transactional(String id) {
        Map<String, Object> properties = kafka.producerProperties();
        properties.put("transactional.id", kafka.topic(id));
        KafkaProducer<String, byte[]> writer = new KafkaProducer<>(properties, new StringSerializer(),
                new ByteArraySerializer());
        writer.initTransactions();
        return writer;
    }

    void content(String digest, Instant written) {
        content(producer, digest, written);
    }

    void content(KafkaProducer<String, byte[]> writer, String digest, Instant written) {
        send(writer, contents(), digest, "[]".getBytes(StandardCharsets.UTF_8), written);
    }

    void step(String instance, int partition, String digest, List<String> recent) {
        step(producer, instance, partition, digest, recent);
    }

    void step(KafkaProducer<String, byte[]> writer, String instance, int partition, String digest,
            List<String> recent) {
        List<RecentStep> before = recent.stream().map(one -> new RecentStep("t", "before-" + one, one)).toList();
        send(writer, new TopicPartition(names.name(Topic.CATALOG_STEP), partition), StepCatalog.key(instance, "coder"),
                STEPS.write(new StepCatalog(instance, "coder", "t", "s", 1, digest, null, "acme", 1, null,
                        Instant.EPOCH, false, before)),
                Instant.EPOCH);
    }

    void noStep(String instance, int partition, Instant written) {
        send(producer, new TopicPartition(names.name(Topic.CATALOG_STEP), partition),
                StepCatalog.key(instance, "coder"), null, written);
    }

    void handle(String handle, String digest) {
        ToolCall call = ToolCall.of("c", "a__z", Json.MAPPER.createObjectNode(), "i");
        send(producer, pending(), handle, HANDLES.write(new PendingCall(handle, PendingCall.Kind.ASYNC, call, 0, 1,
                digest, null, Instant.EPOCH, null, null, Instant.EPOCH, null)), Instant.EPOCH);
    }

    void noHandle(String handle, Instant written) {
        send(producer, pending(), handle, null, written);
    }

    /// Returns the digests of the contents that a reader of committed records knows in the end.
    Set<String> standing() {
        Map<String, Boolean> standing = new TreeMap<>();
        try (TopicReader reader = new TopicReader(clientProperties())) {
            reader.committed(contents(), (digest, content, at) -> {
                if (content == null)
                    standing.remove(digest);
                else
                    standing.put(digest, true);
            });
        }
        return standing.keySet();
    }

    /// Waits for a moment in which a reader that does not wait would have reached its end.
    void awaitReaders() {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            standing();
            return true;
        });
    }

    private TopicPartition contents() {
        return new TopicPartition(names.name(Topic.CATALOG_CONTENT), 0);
    }

    private TopicPartition pending() {
        return new TopicPartition(names.name(Topic.PENDING), 1);
    }

    private static void send(KafkaProducer<String, byte[]> writer, TopicPartition to, String key,
            byte @Nullable [] value, Instant written) {
        try {
            var sent = writer
                    .send(new ProducerRecord<>(to.topic(), to.partition(), written.toEpochMilli(), key, value));
            writer.flush();
            sent.get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
