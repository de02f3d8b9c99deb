package dev.toolfleet.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.CallDecoder;
import dev.toolfleet.wire.DecodedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// Stands in for workers and the catalog service: reads the topics that clients write, and answers as a test directs
/// it, in the partition of the record that it read.
final class FakeFleet implements AutoCloseable {
    static final int PARTITIONS = 4;
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    /// A call where it landed.
    record Received(ToolCall call, ConsumerRecord<byte[], byte[]> record) {
        int partition() {
            return record.partition();
        }

        ToolResult ok() {
            return Results.ok(call, record.offset());
        }

        ToolResult pending(String handle) {
            return Results.pending(call, record.offset(), handle);
        }
    }

    final Topics topics;
    final Queue<Received> received = new ConcurrentLinkedQueue<>();
    final Queue<ConsumerRecord<byte[], byte[]>> steps = new ConcurrentLinkedQueue<>();

    private final KafkaFixture kafka;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread;
    private volatile Consumer<Received> onCall = call -> {};
    private volatile Consumer<ConsumerRecord<byte[], byte[]>> onStep = step -> {};
    private volatile boolean closed;

    FakeFleet(KafkaFixture kafka) {
        this.kafka = kafka;
        topics = new Topics(kafka.prefix());
        // Creates only the topics that a client uses: every topic costs each test time.
        for (Topic topic : List.of(Topic.CALL, Topic.RESULT, Topic.STEP, Topic.CATALOG_STEP, Topic.CATALOG_CONTENT))
            kafka.create(topic.baseName(), topic.group() == Topic.Group.SINGLE ? 1 : PARTITIONS, topic.config());
        producer = new KafkaProducer<>(kafka.producerProperties(), new ByteArraySerializer(),
                new ByteArraySerializer());
        consumer = new KafkaConsumer<>(kafka.consumerProperties(kafka.newGroup()), new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        thread = new Thread(this::run, "fake-fleet");
        thread.start();
    }

    ClientConfig config() {
        return ClientConfig.of(kafka.bootstrapServers()).on(topics).named(clientName())
                .waitingForBroker(Duration.ofMinutes(1)).waitingForCatalogs(Duration.ofMinutes(1));
    }

    /// The name of its clients, which the clients of other tests do not have.
    String clientName() {
        return kafka.topic("test");
    }

    FakeFleet onCall(Consumer<Received> answer) {
        onCall = answer;
        return this;
    }

    FakeFleet onStep(Consumer<ConsumerRecord<byte[], byte[]>> answer) {
        onStep = answer;
        return this;
    }

    void answer(int partition, ToolResult result) {
        answer(producer, partition, result);
    }

    void answer(KafkaProducer<byte[], byte[]> by, int partition, ToolResult result) {
        write(by, Topic.RESULT, partition, result.instanceKey(), RESULTS.write(result),
                Map.of(WireHeaders.IDENTITY, Results.identity(result, partition).text()));
    }

    void write(Topic topic, int partition, String key, byte @Nullable [] value) {
        write(producer, topic, partition, key, value, Map.of());
    }

    private void write(KafkaProducer<byte[], byte[]> by, Topic topic, int partition, String key,
            byte @Nullable [] value, Map<String, String> headers) {
        try {
            by.send(new ProducerRecord<>(topics.name(topic), partition, key.getBytes(StandardCharsets.UTF_8), value,
                    KafkaHeaders.of(headers))).get(60, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        List<TopicPartition> partitions = new ArrayList<>();
        for (int i = 0; i < PARTITIONS; i++) {
            partitions.add(new TopicPartition(topics.name(Topic.CALL), i));
            partitions.add(new TopicPartition(topics.name(Topic.STEP), i));
        }
        consumer.assign(partitions);
        while (!closed) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(50))) {
                if (record.topic().equals(topics.name(Topic.STEP))) {
                    steps.add(record);
                    onStep.accept(record);
                } else if (CallDecoder.decode(null, record.value()) instanceof DecodedCall.Valid(ToolCall call)) {
                    Received one = new Received(call, record);
                    received.add(one);
                    onCall.accept(one);
                }
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        consumer.close();
        producer.close();
    }
}
