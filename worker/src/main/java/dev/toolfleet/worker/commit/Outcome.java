package dev.toolfleet.worker.commit;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/// End of one call: the records to publish in the transaction that also commits its offset. The call's thread makes
/// them as bytes, so that the transaction loop only sends. Each outcome equals only itself.
public final class Outcome implements CommitEntry {
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

    /// Creates an outcome without a sequel.
    public Outcome(Position position, List<ProducerRecord<byte[], byte[]>> records) {
        this(position, records, Sequel.NONE);
    }

    @Override
    public Position position() {
        return position;
    }

    /// Returns results, error events, pending and journal records, dead letters; the call's result comes first.
    public List<ProducerRecord<byte[], byte[]>> records() {
        return records;
    }

    /// True if it writes to the same key of the same partition.
    boolean isAbout(ProducerRecord<byte[], byte[]> record) {
        return record.key() != null && records.stream().anyMatch(one -> Arrays.equals(one.key(), record.key())
                && one.topic().equals(record.topic()) && Objects.equals(one.partition(), record.partition()));
    }

    /// Returns the callback for the end of the outcome.
    public Sequel sequel() {
        return sequel;
    }

    /// Size of the records' keys, values and headers, which wait in memory until they are committed.
    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return "Outcome[" + position + ", " + records.size() + " records, " + bytes + " bytes]";
    }

    /// Callback for the end of an outcome. Called on the transaction loop's thread; must neither block nor throw.
    public interface Sequel {
        /// Does nothing.
        Sequel NONE = new Sequel() {
        };

        /// The outcome was committed.
        ///
        /// @param offset of its first record; -1 when it has none
        /// @param appendedAt when that was appended, in epoch milliseconds
        default void committed(long offset, long appendedAt) {}

        /// The assignment ended first. Returns a record for the next owner; null for none: the next owner then runs the
        /// call again.
        default @Nullable ProducerRecord<byte[], byte[]> handOver() {
            return null;
        }

        /// The broker refuses the records permanently. Returns an outcome to publish in their place; null for none.
        default @Nullable Outcome refused(Throwable cause) {
            return null;
        }
    }
}
