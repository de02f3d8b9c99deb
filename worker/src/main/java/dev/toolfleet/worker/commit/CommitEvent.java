package dev.toolfleet.worker.commit;

import java.util.concurrent.CompletableFuture;

import dev.toolfleet.worker.assignment.Position.Source;
import org.apache.kafka.clients.producer.ProducerRecord;

/// Event for the transaction loop. The loop handles events in the order in which they were sent, so it tracks a call
/// before its outcome comes.
sealed interface CommitEvent {

    /// An assignment begins.
    record Opened(int partition, long epoch, AssignmentStart from) implements CommitEvent {}

    /// Records were read.
    ///
    /// @param offsets of the calls to run, ascending
    /// @param next the position after the read
    record Tracked(Source source, int partition, long epoch, Offsets offsets, long next) implements CommitEvent {}

    /// A call waits for a journal record.
    record Noted(JournalNote note) implements CommitEvent {}

    /// A call has ended.
    record Finished(Outcome outcome) implements CommitEvent {}

    /// The next owner of a partition needs this record.
    record HandedOver(ProducerRecord<byte[], byte[]> record) implements CommitEvent {}

    /// An assignment has ended; its uncommitted outcomes are dropped or handed over.
    record Closed(int partition, long epoch) implements CommitEvent {}

    /// A thread waits until the loop has handled all earlier events.
    record Handled(CompletableFuture<Void> done) implements CommitEvent {}

    /// A thread waits until everything that was sent before is committed or dropped.
    record Flush(CompletableFuture<Void> done) implements CommitEvent {}
}
