package dev.toolfleet.streams;

import java.nio.charset.StandardCharsets;

import dev.toolfleet.topic.WireHeaders;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/// Turns a record that cannot be processed into a dead letter: as it came, with reason and origin in headers.
public final class DeadLetters {
    private static final int MAX_REASON_LENGTH = 500;

    private final String writer;

    /// @param writer the process that writes them, as their header names it
    public DeadLetters(String writer) {
        this.writer = writer;
    }

    /// Topic, partition and offset of a record.
    public static String origin(RecordMetadata metadata) {
        return metadata.topic() + "/" + metadata.partition() + "/" + metadata.offset();
    }

    /// The letter.
    ///
    /// @param origin of the record, see [#origin]
    /// @param reason for a person; cut when it is long, since a parser's message may quote the record
    public Record<byte[], Outgoing> of(Record<byte[], byte[]> record, String origin, String reason) {
        Headers headers = new RecordHeaders(record.headers());
        put(headers, WireHeaders.REASON, reason.substring(0, Math.min(reason.length(), MAX_REASON_LENGTH)));
        put(headers, WireHeaders.ORIGIN, origin);
        put(headers, WireHeaders.WORKER, writer);
        return new Record<>(record.key(), Outgoing.anywhere(record.value()), record.timestamp(), headers);
    }

    private static void put(Headers headers, String name, String text) {
        headers.remove(name).add(name, text.getBytes(StandardCharsets.UTF_8));
    }
}
