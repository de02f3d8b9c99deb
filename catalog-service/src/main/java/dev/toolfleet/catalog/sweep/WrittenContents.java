package dev.toolfleet.catalog.sweep;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/// Contents on `tool.catalog.content`, each with the time of its last write. For one thread.
final class WrittenContents {
    private final Map<String, Instant> lastWritten = new HashMap<>();

    /// Applies the next record of the topic.
    void apply(String digest, byte @Nullable [] content, Instant written) {
        if (content == null)
            lastWritten.remove(digest);
        else
            lastWritten.merge(digest, written, (one, other) -> one.isAfter(other) ? one : other);
    }

    /// Returns the contents that were not written since then; the caller may change the set.
    Set<String> untouchedSince(Instant instant) {
        Set<String> untouched = new HashSet<>();
        lastWritten.forEach((digest, written) -> {
            if (written.isBefore(instant))
                untouched.add(digest);
        });
        return untouched;
    }
}
