package dev.toolfleet.worker.record;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Producer records with the headers that every record of the fleet carries. Thread-safe.
public final class RecordWriter {
    /// Settings that place records: readers of `tool.pending` expect each handle where Java's producers place it by themselves.
    public static final Set<String> PLACING = Set.of(ProducerConfig.PARTITIONER_CLASS_CONFIG,
            ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG);
    private static final Header SPEC_VERSION = HeaderList.encoded("ce_specversion", "1.0");
    private static final Header CONTENT_TYPE = HeaderList.encoded("content-type", "application/json");
    private static final Map<EventType, Header> TYPES = Arrays.stream(EventType.values())
            .collect(Collectors.toMap(type -> type, type -> HeaderList.encoded("ce_type", type.text()), (one, _) -> one,
                    () -> new EnumMap<>(EventType.class)));

    private final Map<Topic, String> topics = new EnumMap<>(Topic.class);
    private final String worker;
    private final Header source;
    private final InstantSource clock;
    private volatile Stamp last = Stamp.of(0);

    /// A time as a header. To write one takes longer than to write all other headers, and many records of a busy worker
    /// have the same.
    private record Stamp(long millis, Header header) {
        static Stamp of(long millis) {
            return new Stamp(millis, HeaderList.encoded("ce_time", Instant.ofEpochMilli(millis).toString()));
        }
    }

    /// @param worker this worker's name, for `ce_source`
    public RecordWriter(Topics topics, String worker, InstantSource clock) {
        for (Topic topic : Topic.values())
            this.topics.put(topic, topics.name(topic));
        this.worker = worker;
        this.source = HeaderList.encoded("ce_source", "/toolfleet/worker/" + worker);
        this.clock = clock;
    }

    public String worker() {
        return worker;
    }

    String topic(Topic topic) {
        return requireNonNull(topics.get(topic));
    }

    /// Headers of a record that comes of the one at `position`; its id is unique for the record type and that record.
    public HeaderList headers(EventType type, Position position, String subject, @Nullable TraceContext trace) {
        return headers(type, id(position), subject, trace);
    }

    /// Headers of a record that comes of no other, whatever there may be of it.
    public HeaderList headers(EventType type, String subject) {
        return headers(type, UUID.randomUUID().toString(), subject, null);
    }

    /// Headers of a record with an id of its own: those of [WireHeaders#cloudEvent], and the trace.
    HeaderList headers(EventType type, String id, String subject, @Nullable TraceContext trace) {
        return new HeaderList().put(SPEC_VERSION).put("ce_id", id).put(requireNonNull(TYPES.get(type))).put(source)
                .put("ce_subject", subject).put(time()).put(CONTENT_TYPE).trace(trace);
    }

    static String id(Position position) {
        String id = position.partition() + "-" + position.offset();
        return position.source() == Position.Source.RESUMED ? id + "-resumed" : id;
    }

    private Header time() {
        long now = clock.millis();
        Stamp stamp = last;
        if (stamp.millis() != now) {
            stamp = Stamp.of(now);
            last = stamp;
        }
        return stamp.header();
    }

    /// A record that follows its call's partition number.
    ProducerRecord<byte[], byte[]> inPartition(Topic topic, int partition, String key, byte @Nullable [] value,
            HeaderList headers) {
        return new ProducerRecord<>(topic(topic), partition, key.getBytes(StandardCharsets.UTF_8), value,
                headers.kafka());
    }

    /// A record whose partition its key decides.
    public ProducerRecord<byte[], byte[]> byKey(Topic topic, String key, byte[] value, HeaderList headers) {
        return new ProducerRecord<>(topic(topic), null, key.getBytes(StandardCharsets.UTF_8), value,
                headers.kafka());
    }

    /// A record without a value, which ends the one of this key.
    ProducerRecord<byte[], byte[]> end(Topic topic, String key, HeaderList headers) {
        return new ProducerRecord<>(topic(topic), null, key.getBytes(StandardCharsets.UTF_8), null,
                headers.kafka());
    }
}
