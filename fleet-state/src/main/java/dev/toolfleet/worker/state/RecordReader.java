package dev.toolfleet.worker.state;

import java.util.concurrent.Semaphore;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Reader of single records, on the caller's thread; a few at a time, however many callers there are. Thread-safe.
public final class RecordReader {
    private final RangeReader scan;
    private final Semaphore readers;

    /// @param atOnce the most threads that read side by side
    public RecordReader(RangeReader scan, int atOnce) {
        this.scan = scan;
        this.readers = new Semaphore(atOnce);
    }

    /// Returns the value of the record there; null if it is gone. Waits for the transaction that holds it.
    ///
    /// @throws org.apache.kafka.common.KafkaException if it cannot be read
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
