package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolResult;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

import static dev.toolfleet.worker.fleet.TestFleet.call;
import static org.awaitility.Awaitility.await;

/// Calls of [EffectTools] that keep coming, some 100 to 300 ms long, with a bounded number of them unanswered; and every
/// result that is committed. One thread of its own sends and reads.
final class Traffic implements AutoCloseable {
    private static final int UNANSWERED = 60;
    private static final int AT_ONCE = 6;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final TestFleet fleet;
    private final Path folder;
    private final int instances;
    private final Queue<ToolResult> results = new ConcurrentLinkedQueue<>();
    private final Set<String> answered = ConcurrentHashMap.newKeySet();
    private final Thread thread;
    private volatile int sent;
    private volatile boolean enough;
    private volatile boolean closed;

    private Traffic(TestFleet fleet, Path folder, int instances) {
        this.fleet = fleet;
        this.folder = folder;
        this.instances = instances;
        this.thread = Thread.ofPlatform().name("traffic").unstarted(this::run);
    }

    static Traffic start(TestFleet fleet, Path folder, int instances) {
        fleet.announceAll(IntStream.range(0, instances).mapToObj(n -> "i" + n), "s1");
        Traffic traffic = new Traffic(fleet, folder, instances);
        traffic.thread.start();
        return traffic;
    }

    private void run() {
        List<TopicPartition> partitions = IntStream.range(0, fleet.partitions)
                .mapToObj(number -> new TopicPartition(fleet.topics.name(Topic.RESULT), number)).toList();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                fleet.kafka().consumerProperties(fleet.kafka().newGroup()), new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            while (!closed) {
                if (sent - answered.size() < UNANSWERED)
                    send();
                consumer.poll(Duration.ofMillis(50)).forEach(record -> add(TestFleet.result(record)));
            }
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue()))
                consumer.poll(Duration.ofMillis(50)).forEach(record -> add(TestFleet.result(record)));
        }
    }

    private void send() {
        int from;
        synchronized (this) {
            if (enough)
                return;
            from = sent;
            sent = from + AT_ONCE;
        }
        fleet.sendAll(IntStream.range(from, from + AT_ONCE).mapToObj(n -> call("c" + n, "effects__append",
                "i" + n % instances, Map.of("folder", folder.toString(), "ms", 100 + n * 37 % 200))).toList());
    }

    private void add(ToolResult result) {
        results.add(result);
        answered.add(result.toolCallId());
    }

    int sent() {
        return sent;
    }

    /// Returns when every call that was sent until now has a result.
    void awaitAnswers() {
        int until = sent;
        await().atMost(PATIENCE)
                .until(() -> IntStream.range(0, until).allMatch(n -> answered.contains("c" + n)));
    }

    /// Sends no more, and returns when every call has a result.
    void finish() {
        synchronized (this) {
            enough = true;
        }
        awaitAnswers();
    }

    /// Returns every result, once no worker writes any more.
    List<ToolResult> allResults() {
        close();
        return List.copyOf(results);
    }

    @Override
    public void close() {
        enough = true;
        closed = true;
        try {
            if (!thread.join(PATIENCE))
                throw new IllegalStateException("the traffic does not end");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
