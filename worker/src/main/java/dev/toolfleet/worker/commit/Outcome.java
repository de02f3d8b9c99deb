package dev.toolfleet.worker.commit;

import java.util.List;

import dev.toolfleet.worker.assignment.Position;
import org.apache.kafka.clients.producer.ProducerRecord;

/// What came of one call: the records to publish in the transaction that also commits its offset. Made by the call's
/// thread, bytes and all, so that the transaction loop only sends.
///
/// @param position the call
/// @param records results, error events, pending and journal records, dead letters
public record Outcome(Position position, List<ProducerRecord<byte[], byte[]>> records) {
    /// Copies the list.
    public Outcome {
        records = List.copyOf(records);
    }
}
