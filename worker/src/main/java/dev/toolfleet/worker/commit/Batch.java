package dev.toolfleet.worker.commit;

import java.util.List;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/// One partition's part of one transaction.
///
/// @param waited its outcomes and notes in the order in which they came
/// @param outcomes in the order in which their calls finished
/// @param notes journal records that calls wait for
/// @param offset commits the finished calls of `tool.call`; never missing, because the broker refuses it to a worker
/// that lost the partition
/// @param resumed the same of `tool.call.resumed`; null if it has not changed
/// @param frontier journals `offset` on `tool.journal`; null if that is not due
record Batch(List<CommitEntry> waited, List<Outcome> outcomes, List<JournalNote> notes, OffsetAndMetadata offset,
        @Nullable OffsetAndMetadata resumed, @Nullable ProducerRecord<byte[], byte[]> frontier) {
    Batch(List<CommitEntry> waited, OffsetAndMetadata offset, @Nullable OffsetAndMetadata resumed,
            @Nullable ProducerRecord<byte[], byte[]> frontier) {
        this(waited, all(waited, Outcome.class), all(waited, JournalNote.class), offset, resumed, frontier);
    }

    Batch(List<CommitEntry> waited, OffsetAndMetadata offset) {
        this(waited, offset, null, null);
    }

    private static <T extends CommitEntry> List<T> all(List<CommitEntry> waited, Class<T> type) {
        return waited.stream().filter(type::isInstance).map(type::cast).toList();
    }

    int entries() {
        return waited.size();
    }

    long bytes() {
        long bytes = 0;
        for (CommitEntry entry : waited)
            bytes += entry.bytes();
        return bytes;
    }
}
