package dev.toolfleet.streams;

import java.util.Optional;
import java.util.Set;

import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.jspecify.annotations.Nullable;

/// A record on its way out, with the partition that it has to reach.
///
/// @param bytes null for a tombstone
/// @param partition empty leaves the choice to the producer
@SuppressWarnings("ArrayRecordComponent") // never compared, and the bytes never change
public record Outgoing(byte @Nullable [] bytes, Optional<Integer> partition) {
    /// Sends each record to its own partition; the key has no influence.
    public static final StreamPartitioner<byte[], Outgoing> TO_ITS_PARTITION = (topic, key, value, count) -> value
            .partition()
            .map(Set::of);

    /// Writes the bytes of an outgoing record.
    public static final Serializer<Outgoing> SERIALIZER = new Serializer<>() {
        @Override
        public byte @Nullable [] serialize(String topic, Outgoing outgoing) {
            return outgoing.bytes();
        }
    };

    /// To this partition.
    public static Outgoing to(int partition, byte @Nullable [] bytes) {
        return new Outgoing(bytes, Optional.of(partition));
    }

    /// To the partition that the producer chooses.
    public static Outgoing anywhere(byte @Nullable [] bytes) {
        return new Outgoing(bytes, Optional.empty());
    }
}
