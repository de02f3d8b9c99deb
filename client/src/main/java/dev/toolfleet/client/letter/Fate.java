package dev.toolfleet.client.letter;

import java.time.Instant;
import java.util.Locale;

import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

import static dev.toolfleet.client.topics.KafkaHeaders.text;

/// Disposal of a dead letter by an operator. It stands in the letter's partition as a *mark*: a record whose
/// `toolfleet-origin` is the letter, whose `toolfleet-reason` is the word, and whose value is the audit event.
///
/// @param by author, if the mark names one
public record Fate(Word word, @Nullable String by, @Nullable String note, Instant at) {
    private static final WireCodec<AuditEvent> CODEC = WireCodec.of(AuditEvent.class);

    /// Kind of disposal.
    public enum Word {
        /// It was written again to where it came from.
        REPLAYED("dlq-replay"),
        /// It was put away.
        DISCARDED("dlq-discard");

        private final String action;

        Word(String action) {
            this.action = action;
        }

        /// Action of the audit event.
        public String action() {
            return action;
        }

        /// As headers and people say it.
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Reads a mark; null for any other record.
    public static @Nullable Fate read(ConsumerRecord<byte[], byte[]> mark) {
        String reason = text(mark.headers(), WireHeaders.REASON);
        for (Word word : Word.values()) {
            if (word.text().equals(reason))
                return read(word, mark);
        }
        return null;
    }

    /// A mark counts, whatever its event looks like.
    private static Fate read(Word word, ConsumerRecord<byte[], byte[]> mark) {
        Fate bare = new Fate(word, null, null, Instant.ofEpochMilli(mark.timestamp()));
        if (mark.value() == null)
            return bare;
        try {
            AuditEvent event = CODEC.read(mark.value());
            return new Fate(word, event.by(), event.reason(), event.occurredAt());
        } catch (WireFormatException e) {
            return bare;
        }
    }
}
