package dev.toolfleet.worker.commit;

import java.util.List;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/// One partition's part of one transaction.
///
/// @param outcomes in the order in which their calls finished
/// @param notes journal records that calls wait for
/// @param offset commits the finished calls of `tool.call`; never missing, because the broker refuses it to a worker
/// that lost the partition
/// @param resumed the same of `tool.call.resumed`; null if it has not changed
/// @param frontier journals `offset` on `tool.journal`; null if that is not due
record Batch(List<Outcome> outcomes, List<JournalNote> notes, OffsetAndMetadata offset,
        @Nullable OffsetAndMetadata resumed, @Nullable ProducerRecord<byte[], byte[]> frontier) {
    Batch(List<Outcome> outcomes, List<JournalNote> notes, OffsetAndMetadata offset) {
        this(outcomes, notes, offset, null, null);
    }

    int entries() {
        return outcomes.size() + notes.size();
    }

    long bytes() {
        long bytes = 0;
        for (Outcome outcome : outcomes)
            bytes += outcome.bytes();
        for (JournalNote note : notes)
            bytes += note.bytes();
        return bytes;
    }
}
