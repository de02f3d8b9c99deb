package dev.toolfleet.catalog.topology;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// Finds step catalogs that were not touched for the retention time, a bounded piece of the store at a time. For one
/// thread.
final class Retention {
    /// Entries looked at per run.
    static final int PER_RUN = 2000;
    /// The interval of runs. A pass through the store continues with each run; between two passes runs do nothing.
    static final Duration BETWEEN_RUNS = Duration.ofSeconds(1);

    private final Duration retention;
    private @Nullable String resumeAfter;
    private Instant nextRound = Instant.MIN;

    Retention(Duration retention) {
        this.retention = retention;
    }

    /// Returns the time from the start of a pass to the next, so that an entry does not outlive its time by much.
    private Duration interval() {
        Duration tenth = retention.dividedBy(10);
        Duration most = Duration.ofMinutes(1);
        return tenth.compareTo(BETWEEN_RUNS) < 0 ? BETWEEN_RUNS : tenth.compareTo(most) > 0 ? most : tenth;
    }

    /// Removes expired entries from the next piece of the store.
    ///
    /// @return the removed keys
    List<String> expire(KeyValueStore<String, byte[]> store, Instant now) {
        if (resumeAfter == null) {
            if (now.isBefore(nextRound))
                return List.of();
            nextRound = now.plus(interval());
        }
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
