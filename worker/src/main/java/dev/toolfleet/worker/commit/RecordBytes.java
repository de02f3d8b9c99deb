package dev.toolfleet.worker.commit;

import java.util.List;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/// Size of records as they are sent: keys, values and headers. Pure.
final class RecordBytes {
    private RecordBytes() {}

    static long of(List<ProducerRecord<byte[], byte[]>> records) {
        long bytes = 0;
        for (ProducerRecord<byte[], byte[]> record : records)
            bytes += of(record);
        return bytes;
    }

    static long of(ProducerRecord<byte[], byte[]> record) {
        long bytes = length(record.key()) + length(record.value());
        for (Header header : record.headers())
            bytes += header.key().length() + length(header.value());
        return bytes;
    }

    private static long length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }
}
