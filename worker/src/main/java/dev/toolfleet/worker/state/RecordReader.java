package dev.toolfleet.worker.state;

import java.util.concurrent.Semaphore;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Reads single records again, on the thread that asks; a few at a time, however many ask. Thread-safe.
public final class RecordReader {
    private final TopicScan scan;
    private final Semaphore readers;

    /// @param atOnce how many may read side by side
    public RecordReader(TopicScan scan, int atOnce) {
        this.scan = scan;
        this.readers = new Semaphore(atOnce);
    }

    /// The value of the record there; null when it is gone. Waits for the transaction that holds it.
    ///
    /// @throws org.apache.kafka.common.KafkaException when it cannot be read
    public byte @Nullable [] read(TopicPartition partition, long offset) {
        readers.acquireUninterruptibly();
        try {
            ConsumerRecord<byte[], byte[]> found = scan.first(partition, offset, offset + 1);
            return found == null ? null : found.value();
        } finally {
            readers.release();
        }
    }
}
