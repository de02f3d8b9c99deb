package dev.toolfleet.worker.fleet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.toolfleet.bundle.yaml.BundleLoader;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.config.KafkaConfig;
import dev.toolfleet.config.Settings;
import dev.toolfleet.config.TopicsConfig;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.resources.RevisionPlan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.app.Worker;
import dev.toolfleet.worker.app.WorkerConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// A fleet of one test: topics of its own, a bundle with [TestTools], catalogs written by hand.
final class TestFleet implements AutoCloseable {
    static final String AGENT = "coder";
    private static final WireCodec<ToolCall> CALLS = WireCodec.of(ToolCall.class);
    private static final WireCodec<StepCatalog> CATALOGS = WireCodec.of(StepCatalog.class);
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    final Topics topics;
    final int partitions;
    private final KafkaFixture kafka;
    private final Path folder;
    private final String group;
    private final KafkaProducer<byte[], byte[]> producer;
    private final List<Worker> workers = new ArrayList<>();
    /// A machine that stands still for some seconds is not to cost a worker its place.
    /// Many tests make the same call again and again in one turn.
    private final Map<String, String> settings = new HashMap<>(
            Map.of("group.sessionTimeout", "30s", "loops.noticeAfter", "0", "loops.refuseAfter", "0"));
    private final Map<String, String> clients = new HashMap<>();
    private String digest = "";
    private long revision;

    TestFleet(KafkaFixture kafka, Path folder, int partitions) {
        this.kafka = kafka;
        this.folder = folder;
        this.partitions = partitions;
        this.topics = new Topics(kafka.prefix());
        this.group = kafka.newGroup();
        new FleetTopics(topics, Map.of("bootstrap.servers", kafka.bootstrapServers()), Duration.ofMinutes(1))
                .create(OptionalInt.of(partitions), OptionalInt.empty());
        Map<String, Object> properties = kafka.producerProperties();
        properties.put("max.request.size", 4_000_000);
        this.producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        apply();
    }

    /// Changes a setting of workers that are started from now on.
    TestFleet with(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /// Sets a property of the Kafka clients of workers that are started from now on.
    TestFleet withClient(String property, String value) {
        clients.put(property, value);
        return this;
    }

    private void apply() {
        Path bundle = folder.resolve("bundle");
        try {
            Files.createDirectories(bundle);
            Files.writeString(bundle.resolve("goondan.yaml"), TestBundle.YAML);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        List<RevisionPlan.Declared> declared = BundleLoader.load(bundle).bundle().resources().stream()
                .map(resource -> new RevisionPlan.Declared(resource.document(), Map.of())).toList();
        ResourceTable table = new ResourceTable();
        RevisionPlan plan = RevisionPlan.of("test", declared, table);
        WireCodec<ResourceRecord> codec = WireCodec.of(ResourceRecord.class);
        for (RevisionPlan.Entry entry : plan.entries()) {
            table.apply(entry.key(), entry.value());
            ResourceRecord value = entry.value();
            send(Topic.RESOURCE, 0, entry.key(), value == null ? null : codec.write(value));
        }
        revision = plan.revision();
        byte[] content = Json.MAPPER.writeValueAsBytes(AgentTools.items(table.view(), AGENT));
        digest = Digests.sha256(content);
        send(Topic.CATALOG_CONTENT, 0, digest, content);
    }

    Worker worker(String name) throws InterruptedException {
        return worker(name, new SimpleMeterRegistry());
    }

    Worker worker(String name, MeterRegistry registry) throws InterruptedException {
        return worker(name, registry, InstantSource.system());
    }

    Worker worker(String name, MeterRegistry registry, InstantSource clock) throws InterruptedException {
        Worker worker = Worker.start(
                config(new KafkaConfig(kafka.bootstrapServers(), clients), topics.prefix(), folder, name,
                        workerSettings()),
                registry, clock);
        workers.add(worker);
        if (!worker.awaitReady(Duration.ofMinutes(2))) {
            throw new IllegalStateException("not ready: " + worker.notReady());
        }
        return worker;
    }

    /// Returns the settings that [#config] needs, for a worker in another process too.
    Map<String, String> workerSettings() {
        Map<String, String> section = new HashMap<>(settings);
        section.put("group.id", group);
        return section;
    }

    static WorkerConfig config(String servers, String prefix, Path folder, String name, Map<String, String> section) {
        return config(KafkaConfig.at(servers), prefix, folder, name, section);
    }

    private static WorkerConfig config(KafkaConfig servers, String prefix, Path folder, String name,
            Map<String, String> section) {
        Map<String, String> all = new HashMap<>(section);
        all.putIfAbsent("sandbox.mode", "preferred");
        all.put("workspace.root", folder.resolve("work").toString());
        all.put("completion.stateDir", folder.resolve("state").toString());
        return WorkerConfig.of(servers, new TopicsConfig(prefix, 1, TopicsConfig.BROKER_DEFAULT),
                Settings.of("worker", nested(all)), name,
                bundle -> folder);
    }

    /// `lane.maxQueued` to `lane: {maxQueued}`.
    private static Map<String, Object> nested(Map<String, String> flat) {
        Map<String, Object> tree = new HashMap<>();
        Map<String, Map<String, String>> sections = new HashMap<>();
        flat.forEach((key, value) -> {
            int dot = key.indexOf('.');
            if (dot < 0) {
                tree.put(key, value);
            } else {
                sections.computeIfAbsent(key.substring(0, dot), name -> new HashMap<>())
                        .put(key.substring(dot + 1), value);
            }
        });
        tree.putAll(sections);
        return tree;
    }

    /// Returns the partition of an instance, by the test's own partitioner: no worker may recompute it.
    int partition(String instance) {
        return Math.floorMod(instance.hashCode() * 31, partitions);
    }

    void announce(String instance, String step) {
        announceAll(Stream.of(instance), step);
    }

    /// The same for many instances at once.
    void announceAll(Stream<String> instances, String step) {
        instances.map(instance -> producer.send(new ProducerRecord<>(topics.name(Topic.CATALOG_STEP),
                partition(instance), StepCatalog.key(instance, AGENT).getBytes(StandardCharsets.UTF_8),
                CATALOGS.write(catalog(instance, step))))).toList().forEach(TestFleet::acknowledged);
    }

    private StepCatalog catalog(String instance, String step) {
        return new StepCatalog(instance, AGENT, "turn", step, 0, digest, null, "test", revision, null, Instant.now(),
                false,
                List.of());
    }

    static ToolCall call(String id, String tool, String instance, Map<String, Object> args) {
        return ToolCall.of(id, tool, Json.MAPPER.valueToTree(args), instance).inStep(AGENT, "turn", "s1", 0);
    }

    void send(ToolCall call) {
        send(Topic.CALL, partition(call.instanceKey()), call.instanceKey(), CALLS.write(call));
    }

    void send(Topic topic, int partition, String key, byte @Nullable [] value) {
        acknowledged(producer.send(
                new ProducerRecord<>(topics.name(topic), partition, key.getBytes(StandardCharsets.UTF_8), value)));
    }

    /// Sends without waiting for the broker, which may not answer: a lost record shows by its missing effect.
    void sendLater(Topic topic, int partition, String key, byte[] value) {
        var _ = producer.send(
                new ProducerRecord<>(topics.name(topic), partition, key.getBytes(StandardCharsets.UTF_8), value));
    }

    private static void acknowledged(Future<RecordMetadata> sent) {
        try {
            sent.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Many calls at once, unacknowledged until the last.
    void sendAll(List<ToolCall> calls) {
        calls.stream()
                .map(call -> producer.send(new ProducerRecord<>(topics.name(Topic.CALL), partition(call.instanceKey()),
                        call.instanceKey().getBytes(StandardCharsets.UTF_8), CALLS.write(call))))
                .toList().forEach(TestFleet::acknowledged);
    }

    /// The first `count` results, in the order of each partition.
    List<ToolResult> results(int count) {
        return records(Topic.RESULT, count).stream().map(TestFleet::result).toList();
    }

    static ToolResult result(ConsumerRecord<byte[], byte[]> record) {
        return RESULTS.read(record.value());
    }

    /// The first result of a call that `wanted` accepts.
    ToolResult result(ToolCall call, Predicate<ToolResult> wanted) {
        return first(Topic.RESULT, record -> Optional.of(result(record)).filter(
                result -> result.toolCallId().equals(call.id()) && result.instanceKey().equals(call.instanceKey())
                        && Objects.equals(result.stepId(), call.stepId()) && wanted.test(result)));
    }

    /// Returns the value of `found` for the first record for which it has one.
    <T> T first(Topic topic, Function<ConsumerRecord<byte[], byte[]>, Optional<T>> found) {
        int all = topic.group() == Topic.Group.SINGLE ? 1 : partitions;
        List<TopicPartition> assigned = IntStream.range(0, all)
                .mapToObj(number -> new TopicPartition(topics.name(topic), number)).toList();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(kafka.consumerProperties(kafka.newGroup()),
                new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(assigned);
            consumer.seekToBeginning(assigned);
            Instant until = Instant.now().plusSeconds(180);
            while (Instant.now().isBefore(until)) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    Optional<T> made = found.apply(record);
                    if (made.isPresent())
                        return made.get();
                }
            }
        }
        throw new AssertionError("what was expected did not come on " + topic);
    }

    /// Returns the records that the topic has now.
    List<ConsumerRecord<byte[], byte[]>> all(Topic topic) {
        int count = topic.group() == Topic.Group.SINGLE ? 1 : partitions;
        List<TopicPartition> assigned = IntStream.range(0, count)
                .mapToObj(number -> new TopicPartition(topics.name(topic), number)).toList();
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(kafka.consumerProperties(kafka.newGroup()),
                new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(assigned);
            consumer.seekToBeginning(assigned);
            Map<TopicPartition, Long> ends = consumer.endOffsets(assigned);
            while (assigned.stream().anyMatch(one -> consumer.position(one) < requireNonNull(ends.get(one))))
                consumer.poll(Duration.ofMillis(100)).forEach(all::add);
        }
        return all;
    }

    List<ConsumerRecord<byte[], byte[]>> records(Topic topic, int count) {
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        return first(topic, record -> {
            found.add(record);
            return found.size() < count ? Optional.empty() : Optional.of(found);
        });
    }

    KafkaFixture kafka() {
        return kafka;
    }

    String group() {
        return group;
    }

    @Override
    public void close() {
        workers.forEach(Worker::close);
        producer.close();
    }
}
