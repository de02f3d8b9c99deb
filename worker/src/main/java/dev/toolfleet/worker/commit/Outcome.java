package dev.toolfleet.worker.commit;

import java.util.List;

import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/// What came of one call: the records to publish in the transaction that also commits its offset. Made by the call's
/// thread, bytes and all, so that the transaction loop only sends.
///
/// @param position the call
/// @param records results, error events, pending and journal records, dead letters; the call's result comes first
/// @param sequel what comes after
public record Outcome(Position position, List<ProducerRecord<byte[], byte[]>> records, Sequel sequel) {
    /// Copies the list.
    public Outcome {
        records = List.copyOf(records);
    }

    /// An outcome of which nobody wants to hear again.
    public Outcome(Position position, List<ProducerRecord<byte[], byte[]>> records) {
        this(position, records, Sequel.NONE);
    }

    /// What waits in memory until it is committed.
    long bytes() {
        long bytes = 0;
        for (ProducerRecord<byte[], byte[]> record : records)
            bytes += record.value() == null ? 0 : record.value().length;
        return bytes;
    }

    /// What comes after a call's end. Called on the transaction loop's thread; must neither block nor throw.
    public interface Sequel {
        /// Nothing.
        Sequel NONE = new Sequel() {
        };

        /// The outcome was committed.
        ///
        /// @param offset of its first record; -1 when it has none
        /// @param appendedAt when that was appended, in epoch milliseconds
        default void committed(long offset, long appendedAt) {}

        /// The assignment ended first: what to tell the next owner; null for nothing, who then runs the call again.
        default @Nullable ProducerRecord<byte[], byte[]> handOver() {
            return null;
        }

        /// The broker refuses the records for what they are: what to publish instead; null for nothing.
        default @Nullable Outcome refused(Throwable cause) {
            return null;
        }
    }
}
