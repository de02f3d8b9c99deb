package dev.toolfleet.catalog.sweep;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/// The contents that stand on `tool.catalog.content`, and when each was last written. For one thread.
final class WrittenContents {
    private final Map<String, Instant> lastWritten = new HashMap<>();

    /// The next record of the topic.
    void apply(String digest, byte @Nullable [] content, Instant written) {
        if (content == null)
            lastWritten.remove(digest);
        else
            lastWritten.merge(digest, written, (one, other) -> one.isAfter(other) ? one : other);
    }

    /// Those that nobody has written since then; the caller's to change.
    Set<String> untouchedSince(Instant instant) {
        Set<String> untouched = new HashSet<>();
        lastWritten.forEach((digest, written) -> {
            if (written.isBefore(instant))
                untouched.add(digest);
        });
        return untouched;
    }
}
