package dev.toolfleet.worker.commit;

import java.util.List;

import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/// End of one call: the records to publish in the transaction that also commits its offset. Made by the call's thread,
/// bytes and all, so that the transaction loop only sends. Each is equal to itself alone.
public final class Outcome {
    private final Position position;
    private final List<ProducerRecord<byte[], byte[]>> records;
    private final Sequel sequel;
    private final long bytes;

    /// Copies the list and measures the records.
    ///
    /// @param position the call
    /// @param records results, error events, pending and journal records, dead letters; the call's result comes first
    /// @param sequel called when the outcome has ended
    public Outcome(Position position, List<ProducerRecord<byte[], byte[]>> records, Sequel sequel) {
        this.position = position;
        this.records = List.copyOf(records);
        this.sequel = sequel;
        this.bytes = RecordBytes.of(this.records);
    }

    /// An outcome of which nobody wants to hear again.
    public Outcome(Position position, List<ProducerRecord<byte[], byte[]>> records) {
        this(position, records, Sequel.NONE);
    }

    /// The call.
    public Position position() {
        return position;
    }

    /// Results, error events, pending and journal records, dead letters; the call's result comes first.
    public List<ProducerRecord<byte[], byte[]>> records() {
        return records;
    }

    /// Called when the outcome has ended.
    public Sequel sequel() {
        return sequel;
    }

    /// Size of the records' keys, values and headers, which wait in memory until they are committed.
    long bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return "Outcome[" + position + ", " + records.size() + " records, " + bytes + " bytes]";
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
