package dev.toolfleet.worker.commit;

import java.util.concurrent.CompletableFuture;

import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/// Journal record that a call waits for.
///
/// @param position the call
/// @param record the intent, or the tombstone that takes one back
/// @param bytes size of the record
/// @param committed completes with the time at which the transaction began, by `System.nanoTime`; with null if the
/// assignment ended first; exceptionally if the broker refuses the record
record JournalNote(Position position, ProducerRecord<byte[], byte[]> record, long bytes,
        CompletableFuture<@Nullable Long> committed) implements CommitEntry {
    /// Measures the record.
    JournalNote(Position position, ProducerRecord<byte[], byte[]> record) {
        this(position, record, RecordBytes.of(record), new CompletableFuture<>());
    }
}
