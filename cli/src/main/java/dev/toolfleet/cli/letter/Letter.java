package dev.toolfleet.cli.letter;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

import dev.toolfleet.topic.WireHeaders;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

import static dev.toolfleet.client.topics.KafkaHeaders.text;

/// Dead letter without its bytes, which a list keeps.
///
/// @param reason why it is one, from its header; shortened
/// @param key of the record, as text; shortened; null when it has none
/// @param bytes of the value
/// @param fate what an operator did with it; empty when nothing
record Letter(LetterAddress address, Instant at, String reason, Optional<Origin> origin, @Nullable String key,
        int bytes, @Nullable String worker, Optional<Fate> fate) {
    private static final int MAX_REASON = 500;
    private static final int MAX_KEY = 200;
    /// Prefix that a worker puts before the reason of a record that it had to cut.
    private static final String CUT = "cut to ";

    static Letter of(ConsumerRecord<byte[], byte[]> record) {
        String reason = Objects.requireNonNullElse(text(record.headers(), WireHeaders.REASON), "");
        return new Letter(address(record), Instant.ofEpochMilli(record.timestamp()), shortened(reason, MAX_REASON),
                Origin.of(text(record.headers(), WireHeaders.ORIGIN)),
                record.key() == null
                        ? null
                        : shortened(new String(record.key(), StandardCharsets.UTF_8), MAX_KEY),
                record.value() == null ? 0 : record.value().length, text(record.headers(), WireHeaders.WORKER),
                Optional.empty());
    }

    static LetterAddress address(ConsumerRecord<byte[], byte[]> record) {
        return new LetterAddress(record.partition(), record.offset());
    }

    Letter with(Fate newFate) {
        return new Letter(address, at, reason, origin, key, bytes, worker, Optional.of(newFate));
    }

    /// The reason in one word, such as `malformed` or `late`.
    String kind() {
        String said = isCut() ? reason.substring(reason.indexOf(';') + 1).strip() : reason;
        int colon = said.indexOf(':');
        return (colon < 0 ? said : said.substring(0, colon)).strip().toLowerCase(Locale.ROOT);
    }

    /// True if the letter holds only the beginning of the record.
    boolean isCut() {
        return reason.startsWith(CUT) && reason.indexOf(';') > 0;
    }

    private static String shortened(String text, int longest) {
        return text.length() <= longest
                ? text
                : text.substring(0, text.offsetByCodePoints(0,
                        text.codePointCount(0, longest)));
    }
}
