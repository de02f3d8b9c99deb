package dev.toolfleet.catalog.app;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import dev.toolfleet.catalog.Bundles;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.http.HttpConfig;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/// Environment of a catalog service in these tests: topics, a writer of bundles, an agent runtime.
final class Fleet implements AutoCloseable {
    static final int PARTITIONS = 4;
    private static final WireCodec<StepEvent> EVENTS = WireCodec.of(StepEvent.class);
    private static final WireCodec<StepCatalog> CATALOGS = WireCodec.of(StepCatalog.class);
    private static final WireCodec<ResourceRecord> RESOURCES = WireCodec.of(ResourceRecord.class);

    private final KafkaFixture kafka;
    private final Topics topics;
    private final KafkaProducer<String, byte[]> producer;
    private final List<Future<RecordMetadata>> sends = new ArrayList<>();

    Fleet(KafkaFixture kafka) {
        this.kafka = kafka;
        this.topics = new Topics(kafka.prefix());
        new FleetTopics(topics, clientProperties(), Duration.ofMinutes(1)).create(OptionalInt.of(PARTITIONS),
                OptionalInt.empty());
        this.producer = producer(Map.of());
    }

    Map<String, String> clientProperties() {
        return Map.of("bootstrap.servers", kafka.bootstrapServers());
    }

    String name(Topic topic) {
        return topics.name(topic);
    }

    CatalogService start(Path stateDir) {
        CatalogService service = service(stateDir, Optional.empty());
        service.start();
        return service;
    }

    /// A service that is not started.
    CatalogService service(Path stateDir, Optional<HttpConfig> http) {
        return new CatalogService(new CatalogConfig(CatalogConfig.DEFAULT_GROUP, topics, clientProperties(), stateDir,
                CatalogConfig.DEFAULT_RETENTION, CatalogConfig.DEFAULT_REPLICATION,
                stateDir.resolveSibling("bundles")), http);
    }

    /// Makes bundles whose revisions are each written in one transaction.
    Bundles bundles() {
        return new Bundles(entries -> {
            try (KafkaProducer<String, byte[]> writer = transactional("apply")) {
                writer.beginTransaction();
                write(writer, entries);
                writer.commitTransaction();
            }
        });
    }

    void write(KafkaProducer<String, byte[]> writer, List<RevisionPlan.Entry> entries) {
        for (RevisionPlan.Entry entry : entries) {
            ResourceRecord value = entry.value();
            sends.add(writer.send(new ProducerRecord<>(name(Topic.RESOURCE), entry.key(),
                    value == null ? null : RESOURCES.write(value))));
        }
    }

    KafkaProducer<String, byte[]> transactional(String id) {
        KafkaProducer<String, byte[]> writer = producer(Map.of("transactional.id", kafka.topic(id)));
        writer.initTransactions();
        return writer;
    }

    void announce(int partition, String instance, String agent, String step) {
        announce(partition, instance, agent, "t", step);
    }

    void announce(int partition, String instance, String agent, String turn, String step) {
        send(partition, instance,
                EVENTS.write(new StepStarted(instance, agent, turn, step, null, null, null, null)));
    }

    void send(int partition, String key, byte[] value) {
        send(Topic.STEP, partition, key, value);
    }

    void send(Topic topic, int partition, String key, byte[] value) {
        sends.add(producer.send(new ProducerRecord<>(name(topic), partition, key, value)));
    }

    /// Appends a record as if the log's clock had shown that time.
    void sendAt(Instant time, Topic topic, int partition, String key, byte[] value) {
        try (Admin admin = Admin.create(Map.<String, Object>copyOf(clientProperties()))) {
            timestamps(admin, topic, "CreateTime");
            producer.send(new ProducerRecord<>(name(topic), partition, time.toEpochMilli(), key, value)).get();
            timestamps(admin, topic, "LogAppendTime");
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private void timestamps(Admin admin, Topic topic, String type) throws InterruptedException, ExecutionException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name(topic));
        admin.incrementalAlterConfigs(Map.of(resource, List.of(
                new AlterConfigOp(new ConfigEntry("message.timestamp.type", type), AlterConfigOp.OpType.SET)))).all()
                .get();
        // The controller has the change; the broker of the topic follows it.
        Awaitility.await().until(() -> admin.describeConfigs(List.of(resource)).all().get().values().stream()
                .allMatch(config -> config.get("message.timestamp.type").value().equals(type)));
    }

    /// All committed records of a topic of group A.
    List<ConsumerRecord<String, byte[]>> all(Topic topic) {
        try (Reader reader = read(topic, PARTITIONS)) {
            return reader.toTheEnd();
        }
    }

    /// A reader of a topic from its beginning.
    Reader read(Topic topic, int partitions) {
        return new Reader(kafka, name(topic), partitions);
    }

    static StepCatalog catalog(ConsumerRecord<String, byte[]> record) {
        return CATALOGS.read(record.value());
    }

    /// Fails when something could not be sent.
    @Override
    public void close() {
        producer.close(Duration.ofMinutes(1));
        assertThat(sends).allSatisfy(send -> assertThat(send).succeedsWithin(Duration.ZERO));
    }

    private KafkaProducer<String, byte[]> producer(Map<String, Object> more) {
        Map<String, Object> properties = kafka.producerProperties();
        properties.putAll(more);
        return new KafkaProducer<>(properties, new StringSerializer(), new ByteArraySerializer());
    }

    /// Reads committed records of all partitions and keeps them. For one thread.
    static final class Reader implements AutoCloseable {
        private final KafkaConsumer<String, byte[]> consumer;
        private final List<ConsumerRecord<String, byte[]>> seen = new ArrayList<>();

        Reader(KafkaFixture kafka, String topic, int partitions) {
            consumer = new KafkaConsumer<>(kafka.consumerProperties(kafka.newGroup()), new StringDeserializer(),
                    new ByteArrayDeserializer());
            List<TopicPartition> all = IntStream.range(0, partitions)
                    .mapToObj(partition -> new TopicPartition(topic, partition)).toList();
            consumer.assign(all);
            consumer.seekToBeginning(all);
        }

        /// Returns all records so far, as soon as they are as expected.
        List<ConsumerRecord<String, byte[]>> until(Predicate<List<ConsumerRecord<String, byte[]>>> expected) {
            return until(Duration.ofMinutes(1), expected);
        }

        List<ConsumerRecord<String, byte[]>> until(Duration atMost,
                Predicate<List<ConsumerRecord<String, byte[]>>> expected) {
            Awaitility.await().atMost(atMost).pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1)).pollInSameThread().until(() -> {
                        consumer.poll(Duration.ofMillis(100)).forEach(seen::add);
                        return expected.test(seen);
                    });
            return List.copyOf(seen);
        }

        /// Returns all records so far, as soon as they are as expected. How many there will be depends on the machine, so
        /// the wait goes on while records come.
        ///
        /// @param silence the longest time without a record
        List<ConsumerRecord<String, byte[]>> whileTheyCome(Duration silence,
                Predicate<List<ConsumerRecord<String, byte[]>>> expected) {
            int before;
            do {
                before = seen.size();
                int known = before;
                until(silence, now -> expected.test(now) || now.size() > known);
            } while (!expected.test(seen) && seen.size() > before);
            return List.copyOf(seen);
        }

        /// Reads this number of records and keeps none.
        void pass(int records, Duration atMost) {
            AtomicInteger passed = new AtomicInteger();
            Awaitility.await().atMost(atMost).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1))
                    .pollInSameThread()
                    .until(() -> passed.addAndGet(consumer.poll(Duration.ofMillis(100)).count()) >= records);
        }

        /// Returns all records up to the present end, after all writers have stopped.
        List<ConsumerRecord<String, byte[]>> toTheEnd() {
            Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
            return until(records -> ends.entrySet().stream()
                    .allMatch(end -> consumer.position(end.getKey()) >= end.getValue()));
        }

        /// The first record that the test accepts.
        ConsumerRecord<String, byte[]> first(Predicate<ConsumerRecord<String, byte[]>> accepted) {
            return until(records -> records.stream().anyMatch(accepted)).stream().filter(accepted).findFirst()
                    .orElseThrow();
        }

        /// The catalog of a step.
        ConsumerRecord<String, byte[]> step(String instance, String step) {
            return first(record -> record.key().startsWith(instance + "/") && catalog(record).stepId().equals(step));
        }

        @Override
        public void close() {
            consumer.close();
        }
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
