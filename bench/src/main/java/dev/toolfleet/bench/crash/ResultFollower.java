package dev.toolfleet.bench.crash;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.toolfleet.bench.fleet.CrashFleet;
import dev.toolfleet.bench.verdict.IntentFact;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.StepCatalog;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/// Follows `tool.result`, `tool.journal`, `tool.catalog.step` and maybe `tool.call` on a thread of its own, and notes when
/// each result could be read and which worker announced which call.
final class ResultFollower implements AutoCloseable {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    private static final WireCodec<ToolCall> CALLS = WireCodec.of(ToolCall.class);
    private static final WireCodec<StepCatalog> CATALOGS = WireCodec.of(StepCatalog.class);

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Listeners listeners;
    private final InstantSource clock;
    private final String results;
    private final String journal;
    private final String calls;
    private final TopicScan scan;
    private final Thread thread;
    private final Map<Place, Instant> seen = new ConcurrentHashMap<>();
    private final List<IntentFact> intents = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable RuntimeException> problem = new AtomicReference<>();

    /// The place of a record.
    record Place(int partition, long offset) {}

    /// Takers of the news.
    ///
    /// @param catalogs takes each catalog
    /// @param calls takes the id of each record of a call; empty if its source notes them
    record Listeners(AwaitedCalls open, Outside outside, Consumer<StepCatalog> catalogs,
            Optional<Consumer<String>> calls) {}

    private ResultFollower(Listeners listeners, InstantSource clock, Topics topics,
            TopicScan scan) {
        this.listeners = listeners;
        this.clock = clock;
        this.results = topics.name(Topic.RESULT);
        this.journal = topics.name(Topic.JOURNAL);
        this.calls = topics.name(Topic.CALL);
        this.scan = scan;
        this.thread = Thread.ofPlatform().name("bench-results").unstarted(this::follow);
    }

    static ResultFollower start(String bootstrapServers, Topics topics, Listeners listeners, InstantSource clock) {
        List<TopicPartition> partitions = Stream.concat(Stream.of(Topic.RESULT, Topic.JOURNAL, Topic.CATALOG_STEP),
                listeners.calls().isPresent() ? Stream.of(Topic.CALL) : Stream.empty())
                .flatMap(topic -> TopicScan.partitions(topics.name(topic), CrashFleet.PARTITIONS).stream()).toList();
        ResultFollower watch = new ResultFollower(listeners, clock, topics,
                TopicScan.following(Map.of("bootstrap.servers", bootstrapServers), TIMEOUT, partitions));
        watch.thread.start();
        return watch;
    }

    private void follow() {
        try (scan) {
            while (true)
                scan.poll(Duration.ofMillis(500)).forEach(this::accept);
        } catch (WakeupException e) {
            // Closed.
        } catch (RuntimeException e) {
            problem.set(e);
        }
    }

    private void accept(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null)
            return;
        if (record.topic().equals(results))
            accept(RESULTS.read(record.value()), new Place(record.partition(), record.offset()));
        else if (record.topic().equals(journal))
            IntentReader.intent(record.value()).ifPresent(intents::add);
        else if (record.topic().equals(calls))
            listeners.calls().ifPresent(taker -> taker.accept(CALLS.read(record.value()).id()));
        else
            listeners.catalogs().accept(CATALOGS.read(record.value()));
    }

    private void accept(ToolResult result, Place place) {
        seen.put(place, clock.instant());
        if (result.isFinal()) {
            listeners.open().answered(result.toolCallId());
        } else if (!result.replayed()) {
            listeners.open().pending(result.toolCallId());
            listeners.outside().accept(result);
        }
    }

    /// The time at which the result there was read; the given one if it was not.
    Instant seenAt(int partition, long offset, Instant otherwise) {
        return seen.getOrDefault(new Place(partition, offset), otherwise);
    }

    /// The intents that were announced.
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
        scan.stop();
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
