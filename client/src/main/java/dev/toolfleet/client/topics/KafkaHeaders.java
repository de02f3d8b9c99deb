package dev.toolfleet.client.topics;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/// The headers of `dev.toolfleet.topic.WireHeaders` as Kafka carries them: UTF-8 text.
public final class KafkaHeaders {
    private KafkaHeaders() {}

    /// New Kafka headers with these names and texts, in the map's order.
    public static Headers of(Map<String, String> texts) {
        RecordHeaders headers = new RecordHeaders();
        texts.forEach((name, text) -> headers.add(name, text.getBytes(StandardCharsets.UTF_8)));
        return headers;
    }

    /// The last header of that name as text; null when there is none or it has no value.
    public static @Nullable String text(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        if (header == null || header.value() == null)
            return null;
        return new String(header.value(), StandardCharsets.UTF_8);
    }
}
