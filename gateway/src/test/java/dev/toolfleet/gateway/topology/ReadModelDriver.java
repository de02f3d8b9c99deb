package dev.toolfleet.gateway.topology;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.Courier;
import dev.toolfleet.gateway.calls.DeliverySchedule;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.calls.FleetLoad;
import dev.toolfleet.gateway.calls.IdleCourier;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.streams.StreamsSettings;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Topology of one partition with Kafka Streams' test driver.
final class ReadModelDriver implements AutoCloseable {
    static final Duration RETENTION = Duration.ofHours(24);
    private static final HexFormat HEX = HexFormat.of();

    private final CallFeed feed = new CallFeed();
    private final TopologyTestDriver driver;
    private final Map<Topic, TestInputTopic<byte[], byte[]>> inputs = new EnumMap<>(Topic.class);

    private final TestOutputTopic<byte[], byte[]> deadLetters;

    ReadModelDriver(Path stateDir) {
        this(stateDir, new IdleCourier());
    }

    ReadModelDriver(Path stateDir, Courier courier) {
        StreamsSettings settings = new StreamsSettings("test", stateDir, -1, Map.of("bootstrap.servers", "none:1"));
        driver = new TopologyTestDriver(CallTopology.of(new Topics(""), 1, 1, feed, RETENTION, courier,
                DeliverySchedule.DAY), settings.properties(),
                CallRecords.START);
        for (Topic topic : List.of(Topic.CALL, Topic.RESULT, Topic.PROGRESS, Topic.PENDING,
                Topic.DECISION))
            inputs.put(topic, driver.createInputTopic(topic.baseName(), new ByteArraySerializer(),
                    new ByteArraySerializer()));
        deadLetters = driver.createOutputTopic(Topic.DEAD_LETTER.baseName(), new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    List<TestRecord<byte[], byte[]>> deadLetters() {
        return deadLetters.readRecordsToList();
    }

    void read(CallRecords.Written... records) {
        for (CallRecords.Written record : records)
            requireNonNull(inputs.get(record.topic())).pipeInput(new TestRecord<>(
                    CallRecords.bytes(record.key()), record.value(), record.headers(), record.at()));
    }

    void pass(Duration time) {
        driver.advanceWallClockTime(time);
    }

    CallFeed feed() {
        return feed;
    }

    Optional<CallView> view(long offset) {
        return history(offset).view();
    }

    Optional<CallEvents> events(long offset, @Nullable EventId after) {
        return history(offset).events(after);
    }

    /// Returns the head of a call.
    Optional<CallSummary> head(long offset) {
        byte[] unended = store(CallProcessor.INDEX).get(IndexKey.unended(offset));
        byte[] ended = store(CallProcessor.INDEX).get(IndexKey.ended(offset));
        if (unended != null && ended != null)
            throw new AssertionError("two heads of call " + offset);
        return Optional.ofNullable(unended == null ? ended : unended)
                .map(head -> HeadCodec.read(new CallId(0, offset), head));
    }

    /// Returns a page of the list of calls.
    CallPage list(CallFilter filter, @Nullable TopicPosition before, int limit, ScanBudget budget) {
        try (HeadScan scan = new HeadScan(Map.of(0, store(CallProcessor.INDEX)), filter, before)) {
            return scan.page(limit, budget, Set.of());
        }
    }

    /// Returns the load.
    FleetLoad load(Instant now) {
        return CallHeads.load(Map.of(0, store(CallProcessor.INDEX)), now).load(10, Set.of());
    }

    private CallHistory history(long offset) {
        CallHistory history = new CallHistory(new CallId(0, offset));
        try (KeyValueIterator<byte[], byte[]> parts = store(CallProcessor.CALLS).prefixScan(Part.keysOf(offset),
                new ByteArraySerializer())) {
            parts.forEachRemaining(part -> history.add(part.key, part.value));
        }
        return history;
    }

    KeyValueStore<byte[], byte[]> store(String name) {
        return driver.getKeyValueStore(name);
    }

    /// Returns all entries of all stores, as text.
    Map<String, String> content() {
        Map<String, String> all = new TreeMap<>();
        for (String name : List.of(CallProcessor.CALLS, CallProcessor.INDEX, PlaceProcessor.PLACES)) {
            for (KeyValue<byte[], byte[]> entry : entries(name))
                all.put(name + " " + HEX.formatHex(entry.key), HEX.formatHex(entry.value));
        }
        return all;
    }

    private List<KeyValue<byte[], byte[]>> entries(String name) {
        List<KeyValue<byte[], byte[]>> entries = new ArrayList<>();
        try (KeyValueIterator<byte[], byte[]> found = store(name).all()) {
            found.forEachRemaining(entries::add);
        }
        return entries;
    }

    static Instant at(long second) {
        return CallRecords.START.plusSeconds(second);
    }

    @Override
    public void close() {
        driver.close();
    }
}
