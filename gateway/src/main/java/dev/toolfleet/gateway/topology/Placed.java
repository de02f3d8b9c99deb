package dev.toolfleet.gateway.topology;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/// Head of a record on the internal topic that leads what is known by handle to the partition of its call.
///
/// @param kind the record's kind
/// @param handle its handle
/// @param callOffset the call's offset
/// @param partition its partition on the topic from which it comes
/// @param offset its offset there
record Placed(Kind kind, String handle, long callOffset, int partition, long offset) {
    private static final String KIND = "toolfleet-placed";
    private static final byte[] EMPTY = "{}".getBytes(StandardCharsets.UTF_8);

    /// Kind of a placed record.
    enum Kind {
        /// A pending call; the value is its record.
        WAIT,
        /// The tombstone of a handle.
        END,
        /// A decision; the value is its record.
        DECISION
    }

    /// Returns the record to send. Its key begins with the partition of the call.
    ///
    /// @param value null for a tombstone
    Record<byte[], byte[]> record(int callPartition, long at, byte @Nullable [] value) {
        byte[] text = handle.getBytes(StandardCharsets.UTF_8);
        return new Record<>(
                ByteBuffer.allocate(Integer.BYTES + text.length).putInt(callPartition).put(text).array(),
                value == null ? EMPTY : value, at,
                KafkaHeaders.of(Map.of(KIND, kind.name().toLowerCase(Locale.ROOT),
                        WireHeaders.CALL_OFFSET, Long.toString(callOffset),
                        WireHeaders.ORIGIN, partition + "/" + offset)));
    }

    /// Returns the call's partition in the key of a record.
    static int callPartition(byte[] key) {
        return ByteBuffer.wrap(key).getInt();
    }

    /// Reads the head.
    ///
    /// @throws WireFormatException when it is none
    static Placed read(Record<byte[], byte[]> record) {
        try {
            String[] origin = text(record, WireHeaders.ORIGIN).split("/", 2);
            byte[] key = record.key();
            return new Placed(Kind.valueOf(text(record, KIND).toUpperCase(Locale.ROOT)),
                    new String(key, Integer.BYTES, key.length - Integer.BYTES, StandardCharsets.UTF_8),
                    Long.parseLong(text(record, WireHeaders.CALL_OFFSET)), Integer.parseInt(origin[0]),
                    Long.parseLong(origin[1]));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new WireFormatException("a placed record expected", e);
        }
    }

    private static String text(Record<byte[], byte[]> record, String name) {
        String text = KafkaHeaders.text(record.headers(), name);
        return text == null ? "" : text;
    }
}
