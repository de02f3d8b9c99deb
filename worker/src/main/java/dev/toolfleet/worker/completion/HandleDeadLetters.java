package dev.toolfleet.worker.completion;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

import dev.toolfleet.streams.DeadLetters;
import dev.toolfleet.streams.Outgoing;
import dev.toolfleet.worker.telemetry.LogKeys;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Dead letters of records by handle: counted, logged, and cut where they would not fit into a record. For one thread.
final class HandleDeadLetters {
    private static final Logger LOG = LoggerFactory.getLogger(HandleDeadLetters.class);
    static final String MALFORMED = "malformed";
    /// Reason for a failure that the rules did not expect.
    static final String FAILED = "failed";

    /// Most bytes of key and headers.
    private static final int MAX_BESIDE = 512 * 1024;

    private final DeadLetters letters;
    private final WorkerMeters meters;

    HandleDeadLetters(CompletionSetup setup) {
        this.letters = new DeadLetters(setup.worker());
        this.meters = setup.meters();
    }

    /// Makes a dead letter of a record that has no meaning.
    ///
    /// @param reason one word, as metrics and logs name it
    /// @param detail for people; may quote the record
    Record<byte[], Outgoing> of(Record<byte[], byte[]> record, String origin, String reason, String detail) {
        meters.handleLetter(reason);
        LOG.atWarn().addKeyValue(LogKeys.ORIGIN, origin).addKeyValue(LogKeys.REASON, reason)
                .log("record of a handle became a dead letter");
        return letters.of(fitting(record), origin, detail);
    }

    /// Makes a dead letter of a record that came at the wrong time, or from the wrong sender.
    Record<byte[], Outgoing> of(String handle, RawRecord raw, DeadLetterReason why, Instant now) {
        RecordHeaders headers = new RecordHeaders();
        raw.headers().forEach(header -> headers.add(header.name(), header.value()));
        return of(new Record<>(handle.getBytes(StandardCharsets.UTF_8), raw.value(), now.toEpochMilli(), headers),
                raw.origin(), why.text(), why.text());
    }

    /// Cuts a value that is too large, and drops key and headers. Otherwise: no topic accepts the record, and it holds
    /// up its partition for ever. Only a record that its producer compressed can be so large.
    private static Record<byte[], byte[]> fitting(Record<byte[], byte[]> record) {
        byte[] key = record.key();
        byte[] value = record.value();
        boolean fits = value == null || value.length <= RawRecord.MAX_BYTES;
        int beside = HandleInput.size(record.headers()) + (key == null ? 0 : key.length);
        if (fits && beside <= MAX_BESIDE)
            return record;
        byte[] kept = fits ? value : Arrays.copyOf(value, RawRecord.MAX_BYTES);
        return beside <= MAX_BESIDE ? record.withValue(kept) : new Record<>(null, kept, record.timestamp());
    }
}
