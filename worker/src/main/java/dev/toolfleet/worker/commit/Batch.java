package dev.toolfleet.worker.commit;

import java.util.List;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/// What one partition puts into one transaction.
///
/// @param outcomes in the order in which their calls finished
/// @param notes journal records that calls wait for
/// @param offset commits what is finished; always there, because it is what fences a worker that lost the partition
record Batch(List<Outcome> outcomes, List<Note> notes, OffsetAndMetadata offset) {
    int entries() {
        return outcomes.size() + notes.size();
    }
}
