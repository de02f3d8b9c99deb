package dev.toolfleet.worker.completion;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

import dev.toolfleet.bundle.PollSpec;
import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.streams.StreamsRun;
import dev.toolfleet.streams.StreamsSettings;
import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.PollAnswer;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import static org.assertj.core.api.Assertions.fail;

/// The topology on a broker, without an engine around it: topics, a producer, runs one after the other, and a clock
/// that the test moves.
final class BrokerFixture implements AutoCloseable {
    static final int PARTITIONS = 3;
    /// A machine that stands still for some seconds costs a member its place and a thread its transaction.
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final KafkaFixture kafka;
    private final Topics topics;
    private final KafkaProducer<byte[], byte[]> producer;
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();

    private static final class NobodyToAsk implements HandleModules {
        @Override
        public Optional<PollSpec> poll(ToolRef tool) {
            return Optional.empty();
        }

        @Override
        public boolean sensitive(ToolRef tool) {
            return false;
        }

        @Override
        public PollAnswer ask(ToolRef tool, PendingWork work) {
            return PollAnswer.running();
        }

        @Override
        public void cancel(ToolRef tool, PendingWork work) {}

        @Override
        public Progress shown(PendingCall call, Progress progress) {
            return progress;
        }
    }

    BrokerFixture(KafkaFixture kafka) {
        this.kafka = kafka;
        this.topics = new Topics(kafka.prefix());
        new FleetTopics(topics, Map.of("bootstrap.servers", kafka.bootstrapServers()), Duration.ofMinutes(1))
                .create(OptionalInt.of(PARTITIONS), OptionalInt.empty());
        this.producer = new KafkaProducer<>(kafka.producerProperties(), new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    StreamsRun run(Path state) {
        CompletionSetup setup = new CompletionSetup(topics, "w1", PARTITIONS, PARTITIONS,
                new ModuleCalls(new NobodyToAsk()), new WorkerMeters(new SimpleMeterRegistry()), now::get);
        StreamsRun run = new StreamsRun("the test", CompletionTopology.of(setup), new StreamsSettings(
                topics.prefix() + "completions", state, -1, Map.of("bootstrap.servers", kafka.bootstrapServers())));
        run.start(Duration.ofSeconds(60));
        return run;
    }

    /// By Java's partitioner, as the fleet does.
    void send(Topic topic, String key, byte[] value) {
        sent.add(producer.send(new ProducerRecord<>(topics.name(topic), key.getBytes(StandardCharsets.UTF_8), value)));
    }

    /// As librdkafka places records.
    void sendForeign(Topic topic, String key, byte[] value) {
        CRC32 crc = new CRC32();
        crc.update(key.getBytes(StandardCharsets.UTF_8));
        sent.add(producer.send(new ProducerRecord<>(topics.name(topic), (int) (crc.getValue() % PARTITIONS),
                key.getBytes(StandardCharsets.UTF_8), value)));
    }

    /// Returns once the broker has all that was sent; fails if it refused one of it.
    void flush() {
        producer.flush();
        for (Future<RecordMetadata> one : sent) {
            if (one.state() == Future.State.FAILED)
                fail("a record was not taken", one.exceptionNow());
        }
        sent.clear();
    }

    List<ConsumerRecord<byte[], byte[]>> records(Topic topic, int atLeast) {
        String name = topics.name(topic);
        List<TopicPartition> assigned = IntStream.range(0, PARTITIONS)
                .mapToObj(number -> new TopicPartition(name, number)).toList();
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer("read_committed")) {
            consumer.assign(assigned);
            consumer.seekToBeginning(assigned);
            Instant until = Instant.now().plus(PATIENCE);
            while (found.size() < atLeast && Instant.now().isBefore(until))
                consumer.poll(Duration.ofMillis(100)).forEach(found::add);
            if (found.size() < atLeast) {
                fail("%s has %s records instead of %s; read to %s; of all topics:%n%s", name, found.size(), atLeast,
                        assigned.stream().map(consumer::position).toList(), standing());
            }
        }
        return found;
    }

    /// End, stable end and committed offset of each partition, a line each. They tell apart input that is missing, a
    /// transaction that stays open and a topology that stands still.
    private String standing() {
        Map<TopicPartition, OffsetAndMetadata> read = taken(kafka.admin()
                .listConsumerGroupOffsets(topics.prefix() + "completions").partitionsToOffsetAndMetadata());
        List<String> names = taken(kafka.admin().listTopics().names()).stream()
                .filter(name -> name.startsWith(topics.prefix())).sorted().toList();
        List<TopicPartition> all = taken(kafka.admin().describeTopics(names).allTopicNames()).values().stream()
                .flatMap(topic -> topic.partitions().stream().map(one -> new TopicPartition(topic.name(),
                        one.partition())))
                .toList();
        Map<TopicPartition, Long> ends = ends(all, IsolationLevel.READ_UNCOMMITTED);
        Map<TopicPartition, Long> stable = ends(all, IsolationLevel.READ_COMMITTED);
        return all.stream().map(partition -> partition + " ends at " + ends.get(partition)
                + ", readable to " + stable.get(partition) + ", committed " + read.get(partition))
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private Map<TopicPartition, Long> ends(List<TopicPartition> partitions, IsolationLevel isolation) {
        ListOffsetsResult asked = kafka.admin().listOffsets(
                partitions.stream().collect(Collectors.toMap(one -> one, _ -> OffsetSpec.latest())),
                new ListOffsetsOptions(isolation));
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (TopicPartition partition : partitions)
            ends.put(partition, taken(asked.partitionResult(partition)).offset());
        return ends;
    }

    private static <T> T taken(KafkaFuture<T> answer) {
        return answer.toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    private KafkaConsumer<byte[], byte[]> consumer(String isolation) {
        Map<String, Object> properties = kafka.consumerProperties(kafka.newGroup());
        properties.put("isolation.level", isolation);
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
