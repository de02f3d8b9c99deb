package dev.toolfleet.bench.steps;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import dev.toolfleet.bench.timing.Latencies;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.StepEvent;
import dev.toolfleet.wire.StepStarted;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/// An agent runtime of many instances: announces steps at a steady rate, and reads their catalogs as workers do. Used
/// by one thread; it reads on another.
final class StepTraffic implements AutoCloseable {
    private static final int INSTANCES = 2_000;
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(30);
    private static final WireCodec<StepEvent> EVENTS = WireCodec.of(StepEvent.class);
    private static final WireCodec<StepCatalog> CATALOGS = WireCodec.of(StepCatalog.class);

    private final String stepTopic;
    private final KafkaProducer<byte[], byte[]> producer;
    private final TopicScan catalogs;
    private int announced;

    /// Outcome of one span of time.
    ///
    /// @param nanos from the first step's sending to the last one's
    record Span(int sent, long nanos, Latencies latencies) {}

    StepTraffic(Topics topics, String bootstrapServers, int partitions) {
        stepTopic = topics.name(Topic.STEP);
        producer = new KafkaProducer<>(Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 0),
                new ByteArraySerializer(), new ByteArraySerializer());
        catalogs = TopicScan.following(Map.of("bootstrap.servers", bootstrapServers), LAST_ANSWERS,
                TopicScan.partitions(topics.name(Topic.CATALOG_STEP), partitions));
    }

    /// Announces steps for this time, and waits for their catalogs; missing ones are missing in the span.
    Span announce(int rate, Duration duration) throws InterruptedException {
        int steps = (int) (rate * duration.toMillis() / 1000);
        Map<String, Integer> numbers = new HashMap<>();
        for (int i = 0; i < steps; i++)
            numbers.put(stepId(announced + i), i);
        long[] sentNanos = new long[steps];
        Latencies latencies = new Latencies();
        AtomicInteger sent = new AtomicInteger();
        Thread reader = Thread.ofPlatform().name("bench-reader")
                .start(() -> read(numbers, sentNanos, sent, latencies));
        long begun = System.nanoTime();
        for (int i = 0; i < steps; i++) {
            await(begun + (long) (i * 1e9 / rate));
            byte[] event = event(announced + i);
            sentNanos[i] = System.nanoTime();
            sent.set(i + 1);
            var _ = producer
                    .send(new ProducerRecord<>(stepTopic, instance(announced + i).getBytes(StandardCharsets.UTF_8),
                            event));
        }
        long nanos = System.nanoTime() - begun;
        announced += steps;
        reader.join();
        return new Span(steps, nanos, latencies);
    }

    private void read(Map<String, Integer> numbers, long[] sentNanos, AtomicInteger sent, Latencies latencies) {
        long heard = System.nanoTime();
        while (latencies.count() < sentNanos.length && System.nanoTime() - heard < LAST_ANSWERS.toNanos()) {
            for (var record : catalogs.poll(Duration.ofMillis(100))) {
                long now = System.nanoTime();
                Integer number = numbers.get(CATALOGS.read(record.value()).stepId());
                // What was written to the array is seen through `sent`.
                if (number != null && number < sent.get())
                    latencies.add(now - sentNanos[number]);
                heard = now;
            }
        }
    }

    private static void await(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime())
            LockSupport.parkNanos(left);
    }

    private static byte[] event(int number) {
        int round = number / INSTANCES;
        return EVENTS
                .write(new StepStarted(instance(number), TypicalAgent.NAME, instance(number) + "-turn-" + round / 4,
                        stepId(number), round % 4, null, null, null));
    }

    private static String instance(int number) {
        return "instance-" + number % INSTANCES;
    }

    private static String stepId(int number) {
        return instance(number) + "-step-" + number;
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        catalogs.close();
    }
}
