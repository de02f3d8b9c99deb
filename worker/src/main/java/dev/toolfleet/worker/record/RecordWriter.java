package dev.toolfleet.worker.record;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/// Producer records with the headers that every record of the fleet carries. Thread-safe.
public final class RecordWriter {
    /// Settings that place records: readers of `tool.pending` expect each handle where Java's producers place it by themselves.
    public static final Set<String> PLACING = Set.of(ProducerConfig.PARTITIONER_CLASS_CONFIG,
            ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG);
    /// Headers that have the same few values in all records, no two of them the same one; each is encoded once.
    private static final Set<String> REPEATED = Set.of("ce_specversion", "ce_type", "ce_source", "content-type");

    private final Topics topics;
    private final String worker;
    private final String source;
    private final Map<String, Header> repeated = new ConcurrentHashMap<>();
    private final InstantSource clock;
    private volatile Stamp last = Stamp.of(0);

    /// A time as headers say it. To write one takes longer than to write all other headers, and many records of a busy
    /// worker have the same.
    private record Stamp(long millis, String text) {
        static Stamp of(long millis) {
            return new Stamp(millis, Instant.ofEpochMilli(millis).toString());
        }
    }

    /// @param worker this worker's name, for `ce_source`
    public RecordWriter(Topics topics, String worker, InstantSource clock) {
        this.topics = topics;
        this.worker = worker;
        this.source = "/toolfleet/worker/" + worker;
        this.clock = clock;
    }

    public String worker() {
        return worker;
    }

    String topic(Topic topic) {
        return topics.name(topic);
    }

    /// Headers of a record that comes of the one at `position`; its id is unique for the record type and that record.
    public Map<String, String> headers(EventType type, Position position, String subject,
            @Nullable TraceContext trace) {
        String id = position.partition() + "-" + position.offset();
        Map<String, String> headers = WireHeaders.cloudEvent(type,
                position.source() == Position.Source.RESUMED ? id + "-resumed" : id, source, subject, time(), null);
        TraceContext.put(trace, headers);
        return headers;
    }

    /// Headers of a record that comes of no other, whatever there may be of it.
    public Map<String, String> headers(EventType type, String subject) {
        return WireHeaders.cloudEvent(type, UUID.randomUUID().toString(), source, subject, time(), null);
    }

    private String time() {
        long now = clock.millis();
        Stamp stamp = last;
        if (stamp.millis() != now) {
            stamp = Stamp.of(now);
            last = stamp;
        }
        return stamp.text();
    }

    /// A record that follows its call's partition number.
    ProducerRecord<byte[], byte[]> inPartition(Topic topic, int partition, String key, byte @Nullable [] value,
            Map<String, String> headers) {
        return new ProducerRecord<>(topics.name(topic), partition, key.getBytes(StandardCharsets.UTF_8), value,
                kafka(headers));
    }

    /// A record whose partition its key decides.
    public ProducerRecord<byte[], byte[]> byKey(Topic topic, String key, byte[] value, Map<String, String> headers) {
        return new ProducerRecord<>(topics.name(topic), null, key.getBytes(StandardCharsets.UTF_8), value,
                kafka(headers));
    }

    /// Headers as Kafka carries them.
    List<Header> kafka(Map<String, String> headers) {
        List<Header> kafka = new ArrayList<>(headers.size());
        headers.forEach((name, value) -> kafka.add(REPEATED.contains(name)
                ? repeated.computeIfAbsent(value, _ -> header(name, value))
                : header(name, value)));
        return kafka;
    }

    private static Header header(String name, String value) {
        return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
