package dev.toolfleet.gateway.topology;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// Knows the call of each handle, and sends pending calls, tombstones and decisions to the partitions of their calls.
///
/// The store `places` has `P` and a handle for a place, and `D`, a handle, a zero, and partition and offset of the
/// record for a decision that came before its pending call.
final class PlaceProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    static final String PLACES = "places";
    /// Length of partition and offset in a key.
    private static final int ORIGIN = Integer.BYTES + Long.BYTES;
    private static final Duration PASS_EVERY = Duration.ofMinutes(1);
    private static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);
    private static final ByteArraySerializer BYTES = new ByteArraySerializer();

    private final String pendingTopic;
    private final int callPartitions;
    private final Duration retention;
    private @Nullable Bound bound;

    private record Bound(ProcessorContext<byte[], byte[]> context, KeyValueStore<byte[], byte[]> places) {}

    /// @param callPartitions the count of the topics that follow their call
    /// @param retention the time for which an ended place and an early decision are kept
    PlaceProcessor(Topics topics, int callPartitions, Duration retention) {
        this.pendingTopic = topics.name(Topic.PENDING);
        this.callPartitions = callPartitions;
        this.retention = retention;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        bound = new Bound(context, context.getStateStore(PLACES));
        context.schedule(PASS_EVERY, PunctuationType.WALL_CLOCK_TIME, this::expire);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        if (record.key() == null)
            return;
        RecordMetadata at = bound().context().recordMetadata().orElseThrow();
        if (!at.topic().equals(pendingTopic))
            decided(record);
        else if (record.value() == null)
            closed(record, at);
        else
            waits(record, at);
    }

    private void waits(Record<byte[], byte[]> record, RecordMetadata at) {
        PendingCall pending;
        try {
            pending = PENDING.read(record.value());
        } catch (WireFormatException e) {
            // The worker answers its call.
            return;
        }
        if (pending.partition() < 0 || pending.partition() >= callPartitions || pending.callOffset() < 0)
            return;
        String handle = pending.handle();
        send(new Placed(Placed.Kind.WAIT, handle, pending.callOffset(), at.partition(), at.offset()),
                pending.partition(), record.timestamp(), record.value());
        Place before = place(handle);
        // A second call that names an open handle does not get it.
        if (before != null && before.isOpen())
            return;
        put(handle, new Place(pending.partition(), pending.callOffset(), pending.deadline().toEpochMilli(),
                Place.OPEN));
        for (KeyValue<byte[], byte[]> early : early(handle)) {
            ByteBuffer origin = ByteBuffer.wrap(early.key, early.key.length - ORIGIN, ORIGIN);
            send(new Placed(Placed.Kind.DECISION, handle, pending.callOffset(), origin.getInt(), origin.getLong()),
                    pending.partition(), Part.time(early.value), Part.afterTime(early.value));
            bound().places().delete(early.key);
        }
    }

    private void closed(Record<byte[], byte[]> record, RecordMetadata at) {
        String handle = new String(record.key(), StandardCharsets.UTF_8);
        Place place = place(handle);
        if (place == null || !place.isOpen())
            return;
        put(handle, new Place(place.partition(), place.callOffset(), place.deadline(), record.timestamp()));
        send(new Placed(Placed.Kind.END, handle, place.callOffset(), at.partition(), at.offset()), place.partition(),
                record.timestamp(), null);
    }

    private void decided(Record<byte[], byte[]> record) {
        String handle = new String(record.key(), StandardCharsets.UTF_8);
        String[] origin = String.valueOf(KafkaHeaders.text(record.headers(), WireHeaders.ORIGIN)).split("/", 2);
        int partition = Integer.parseInt(origin[0]);
        long offset = Long.parseLong(origin[1]);
        Place place = place(handle);
        if (place == null)
            bound().places().put(early(handle, partition, offset), Part.timed(record.timestamp(), record.value()));
        else
            send(new Placed(Placed.Kind.DECISION, handle, place.callOffset(), partition, offset), place.partition(),
                    record.timestamp(), record.value());
    }

    /// Place of a handle's call.
    ///
    /// @param ended the time of the handle's end, or [#OPEN]
    private record Place(int partition, long callOffset, long deadline, long ended) {
        private static final long OPEN = -1;
        private static final int BYTES = Integer.BYTES + 3 * Long.BYTES;

        boolean isOpen() {
            return ended == OPEN;
        }

        /// Returns the time from which it may be forgotten, but for the retention. A wait ends at its deadline.
        long last() {
            return isOpen() ? deadline : ended;
        }

        byte[] write() {
            return ByteBuffer.allocate(BYTES).putInt(partition).putLong(callOffset).putLong(deadline).putLong(ended)
                    .array();
        }

        static Place read(byte[] value) {
            ByteBuffer in = ByteBuffer.wrap(value);
            return new Place(in.getInt(), in.getLong(), in.getLong(), in.getLong());
        }
    }

    private @Nullable Place place(String handle) {
        byte[] value = bound().places().get(placeKey(handle));
        return value == null ? null : Place.read(value);
    }

    private void put(String handle, Place place) {
        bound().places().put(placeKey(handle), place.write());
    }

    private List<KeyValue<byte[], byte[]>> early(String handle) {
        List<KeyValue<byte[], byte[]>> early = new ArrayList<>();
        byte[] prefix = earlyKey(handle);
        try (KeyValueIterator<byte[], byte[]> found = bound().places().prefixScan(prefix, BYTES)) {
            found.forEachRemaining(entry -> {
                // A handle may hold a zero.
                if (entry.key.length == prefix.length + ORIGIN)
                    early.add(entry);
            });
        }
        return early;
    }

    private static byte[] early(String handle, int partition, long offset) {
        byte[] prefix = earlyKey(handle);
        return ByteBuffer.allocate(prefix.length + ORIGIN).put(prefix).putInt(partition).putLong(offset).array();
    }

    private static byte[] placeKey(String handle) {
        return ("P" + handle).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] earlyKey(String handle) {
        return ("D" + handle + "\0").getBytes(StandardCharsets.UTF_8);
    }

    private void send(Placed placed, int callPartition, long at, byte @Nullable [] value) {
        bound().context().forward(placed.record(callPartition, at, value));
    }

    private void expire(long time) {
        long before = Instant.ofEpochMilli(time).minus(retention).toEpochMilli();
        List<byte[]> expired = new ArrayList<>();
        try (KeyValueIterator<byte[], byte[]> all = bound().places().all()) {
            while (all.hasNext()) {
                KeyValue<byte[], byte[]> entry = all.next();
                long last = entry.key[0] == 'P' ? Place.read(entry.value).last() : Part.time(entry.value);
                if (last < before)
                    expired.add(entry.key);
            }
        }
        expired.forEach(bound().places()::delete);
    }

    private Bound bound() {
        if (bound == null)
            throw new IllegalStateException("process before init");
        return bound;
    }
}
