package dev.toolfleet.worker.app;

import java.util.concurrent.CompletableFuture;

import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.TransactionLoop;
import dev.toolfleet.worker.recovery.IntentJournal;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/// Sends journal records through the transaction loop.
record Notes(TransactionLoop transactions) implements IntentJournal.Notes {
    @Override
    public CompletableFuture<@Nullable Long> note(Position position, ProducerRecord<byte[], byte[]> record) {
        return transactions.note(position, record);
    }

    @Override
    public CompletableFuture<@Nullable Long> send(Position position, ProducerRecord<byte[], byte[]> record) {
        return transactions.note(position, record);
    }

    @Override
    public void handOver(ProducerRecord<byte[], byte[]> record) {
        transactions.publish(record);
    }
}
