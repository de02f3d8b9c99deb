package dev.toolfleet.cli.terminal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

import ch.qos.logback.classic.spi.ILoggingEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/// The keys and values of a log event: its own, and those of the call whose thread it came from. Pure.
final class EventKeys {
    private EventKeys() {}

    /// Its own first; they win.
    static SequencedMap<String, @Nullable Object> of(ILoggingEvent event) {
        SequencedMap<String, @Nullable Object> keys = new LinkedHashMap<>();
        List<KeyValuePair> own = event.getKeyValuePairs();
        if (own != null)
            own.forEach(pair -> keys.put(pair.key, pair.value));
        event.getMDCPropertyMap().forEach(keys::putIfAbsent);
        return keys;
    }
}
