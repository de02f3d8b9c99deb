package dev.toolfleet.catalog.topology;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// Finds the step catalogs that nobody has touched for the retention time, a bounded piece of the store at a time. For
/// one thread.
final class Retention {
    /// Entries looked at per run.
    static final int PER_RUN = 2000;

    private final Duration retention;
    private @Nullable String resumeAfter;

    Retention(Duration retention) {
        this.retention = retention;
    }

    /// How often to run, so that an entry does not outlive its time by much.
    Duration interval() {
        Duration tenth = retention.dividedBy(10);
        Duration least = Duration.ofSeconds(1);
        Duration most = Duration.ofMinutes(1);
        return tenth.compareTo(least) < 0 ? least : tenth.compareTo(most) > 0 ? most : tenth;
    }

    /// Removes what has expired from the next piece of the store.
    ///
    /// @return the keys that were removed
    List<String> expire(KeyValueStore<String, byte[]> store, Instant now) {
        Instant untouchedSince = now.minus(retention);
        List<String> expired = new ArrayList<>();
        int seen = 0;
        try (KeyValueIterator<String, byte[]> entries = store.range(resumeAfter, null)) {
            while (entries.hasNext() && seen < PER_RUN) {
                KeyValue<String, byte[]> entry = entries.next();
                seen++;
                resumeAfter = entry.key;
                if (StepStore.lastTouched(entry.value).isBefore(untouchedSince))
                    expired.add(entry.key);
            }
            if (!entries.hasNext())
                resumeAfter = null;
        }
        expired.forEach(store::delete);
        return expired;
    }
}
