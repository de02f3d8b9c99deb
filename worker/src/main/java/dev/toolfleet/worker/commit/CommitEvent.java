package dev.toolfleet.worker.commit;

import java.util.concurrent.CompletableFuture;

import dev.toolfleet.worker.assignment.Position.Source;
import org.apache.kafka.clients.producer.ProducerRecord;

/// What the transaction loop is told. Events are handled in the order in which they were sent, so a call is tracked
/// before its outcome comes.
sealed interface CommitEvent {

    /// An assignment begins.
    record Opened(int partition, long epoch, Beginning from) implements CommitEvent {}

    /// Records were read.
    ///
    /// @param offsets ascending; those to be run
    /// @param next the position after the read
    record Tracked(Source source, int partition, long epoch, Offsets offsets, long next) implements CommitEvent {}

    /// A call waits for a journal record.
    record Noted(Note note) implements CommitEvent {}

    /// A call has ended.
    record Finished(Outcome outcome) implements CommitEvent {}

    /// Something for the next owner of a partition.
    record HandedOver(ProducerRecord<byte[], byte[]> record) implements CommitEvent {}

    /// An assignment has ended; what is not committed by now is dropped or handed over.
    record Closed(int partition, long epoch) implements CommitEvent {}

    /// Somebody waits until everything that was sent before is known.
    record Handled(CompletableFuture<Void> done) implements CommitEvent {}

    /// Somebody waits until everything that was sent before is committed or dropped.
    record Flush(CompletableFuture<Void> done) implements CommitEvent {}
}
