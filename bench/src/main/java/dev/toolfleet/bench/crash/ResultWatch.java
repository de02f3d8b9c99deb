package dev.toolfleet.bench.crash;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.bench.verdict.IntentFact;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/// Follows `tool.result` and `tool.journal` on a thread of its own: when each final result could be read, and which
/// worker announced which call.
final class ResultWatch implements AutoCloseable {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);

    private final OpenCalls open;
    private final InstantSource clock;
    private final String results;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread;
    private final Map<Place, Instant> seen = new ConcurrentHashMap<>();
    private final List<IntentFact> intents = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable RuntimeException> problem = new AtomicReference<>();

    /// Where a record is.
    record Place(int partition, long offset) {}

    private ResultWatch(OpenCalls open, InstantSource clock, String results,
            KafkaConsumer<byte[], byte[]> consumer) {
        this.open = open;
        this.clock = clock;
        this.results = results;
        this.consumer = consumer;
        this.thread = Thread.ofPlatform().name("bench-results").unstarted(this::follow);
    }

    static ResultWatch start(String bootstrapServers, Topics topics, OpenCalls open, InstantSource clock) {
        Collection<TopicPartition> partitions = new ArrayList<>(
                CommittedReader.partitions(topics.name(Topic.RESULT)));
        partitions.addAll(CommittedReader.partitions(topics.name(Topic.JOURNAL)));
        ResultWatch watch = new ResultWatch(open, clock, topics.name(Topic.RESULT),
                CommittedReader.of(bootstrapServers, partitions));
        watch.thread.start();
        return watch;
    }

    private void follow() {
        try (consumer) {
            while (true)
                consumer.poll(Duration.ofMillis(500)).forEach(this::accept);
        } catch (WakeupException e) {
            // Closed.
        } catch (RuntimeException e) {
            problem.set(e);
        }
    }

    private void accept(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null)
            return;
        if (!record.topic().equals(results)) {
            JournalRecords.intent(record.value()).ifPresent(intents::add);
            return;
        }
        ToolResult result = RESULTS.read(record.value());
        if (result.isFinal()) {
            seen.put(new Place(record.partition(), record.offset()), clock.instant());
            open.answered(result.toolCallId());
        }
    }

    /// When the final result there was read; the given time if it was not.
    Instant seenAt(int partition, long offset, Instant otherwise) {
        return seen.getOrDefault(new Place(partition, offset), otherwise);
    }

    /// What was announced.
    List<IntentFact> intents() {
        return List.copyOf(intents);
    }

    /// @throws IllegalStateException when it cannot go on
    void check() {
        RuntimeException broken = problem.get();
        if (broken != null)
            throw new IllegalStateException("the results cannot be read: " + broken, broken);
    }

    @Override
    public void close() {
        consumer.wakeup();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted)
            Thread.currentThread().interrupt();
    }
}
