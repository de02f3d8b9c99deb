package dev.toolfleet.client.letter;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

import dev.toolfleet.json.Json;
import dev.toolfleet.topic.WireHeaders;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import static dev.toolfleet.client.topics.KafkaHeaders.text;

/// Dead letter without its bytes, which a list keeps.
///
/// @param reason why it is one, from its header; shortened
/// @param key of the record, as text; shortened; null when it has none
/// @param bytes of the value
/// @param fate what an operator did with it; empty when nothing
public record Letter(LetterAddress address, Instant at, String reason, Optional<Origin> origin, @Nullable String key,
        int bytes, @Nullable String worker, Optional<Fate> fate) {
    private static final int MAX_REASON = 500;
    private static final int MAX_KEY = 200;
    /// Prefix that a worker puts before the reason of a record that it had to cut.
    private static final String CUT = "cut to ";

    /// Reads the letter of a record.
    public static Letter of(ConsumerRecord<byte[], byte[]> record) {
        String reason = Objects.requireNonNullElse(text(record.headers(), WireHeaders.REASON), "");
        return new Letter(address(record), Instant.ofEpochMilli(record.timestamp()), shortened(reason, MAX_REASON),
                Origin.of(text(record.headers(), WireHeaders.ORIGIN)),
                record.key() == null
                        ? null
                        : shortened(new String(record.key(), StandardCharsets.UTF_8), MAX_KEY),
                record.value() == null ? 0 : record.value().length, text(record.headers(), WireHeaders.WORKER),
                Optional.empty());
    }

    /// Returns the place of a record.
    public static LetterAddress address(ConsumerRecord<byte[], byte[]> record) {
        return new LetterAddress(record.partition(), record.offset());
    }

    /// Returns the same with what was done with it.
    public Letter with(Fate newFate) {
        return new Letter(address, at, reason, origin, key, bytes, worker, Optional.of(newFate));
    }

    /// The reason in one word, such as `malformed` or `late`.
    public String kind() {
        String said = isCut() ? reason.substring(reason.indexOf(';') + 1).strip() : reason;
        int colon = said.indexOf(':');
        return (colon < 0 ? said : said.substring(0, colon)).strip().toLowerCase(Locale.ROOT);
    }

    /// True if the letter holds only the beginning of the record.
    public boolean isCut() {
        return reason.startsWith(CUT) && reason.indexOf(';') > 0;
    }

    /// Returns it as JSON, for programs.
    public ObjectNode json() {
        ObjectNode json = Json.MAPPER.createObjectNode().put("address", address.toString()).put("time", at.toString())
                .put("reason", reason);
        origin.ifPresent(from -> json.putObject("origin").put("topic", from.topic()).put("partition", from.partition())
                .put("offset", from.offset()));
        put(json, "key", key);
        json.put("bytes", bytes);
        put(json, "worker", worker);
        fate.ifPresent(what -> {
            ObjectNode done = json.putObject("done").put("what", what.word().text()).put("at", what.at().toString());
            put(done, "by", what.by());
            put(done, "note", what.note());
        });
        return json;
    }

    private static void put(ObjectNode json, String field, @Nullable String value) {
        if (value != null)
            json.put(field, value);
    }

    private static String shortened(String text, int longest) {
        return text.length() <= longest
                ? text
                : text.substring(0, text.offsetByCodePoints(0,
                        text.codePointCount(0, longest)));
    }
}
