package dev.toolfleet.cli.tail;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.json.Json;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;

/// The names of the tools in catalogs, by the digest of their content. Contents are few and come back, so each is read
/// once. For one thread.
final class ContentTools {
    private static final ObjectReader ITEMS = Json.MAPPER.readerForListOf(Item.class);
    private static final int TRIES = 5;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final TopicScan scan;
    private final Map<String, Optional<List<String>>> names = new HashMap<>();
    private Map<TopicPartition, Long> next;

    /// Read fields of a catalog's item.
    private record Item(String name) {}

    /// @param scan for this object alone
    /// @param topic the name of `tool.catalog.content`
    ContentTools(TopicScan scan, String topic) {
        this.scan = scan;
        this.next = scan.beginnings(List.of(new TopicPartition(topic, 0)));
    }

    /// Empty when the content is not there any more.
    Optional<List<String>> tools(String digest) {
        // A step and its content are one transaction, whose parts may become visible one after the other.
        for (int attempt = 0; attempt < TRIES && !names.containsKey(digest); attempt++) {
            next = new HashMap<>(scan.read(next, this::read));
            if (!names.containsKey(digest) && !pause())
                return Optional.empty();
        }
        return names.computeIfAbsent(digest, unknown -> Optional.empty());
    }

    private void read(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null || record.value() == null)
            return;
        try {
            List<Item> items = ITEMS.readValue(record.value());
            names.put(new String(record.key(), StandardCharsets.UTF_8),
                    Optional.of(items.stream().map(Item::name).toList()));
        } catch (JacksonException e) {
            names.put(new String(record.key(), StandardCharsets.UTF_8), Optional.empty());
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(PAUSE);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
