package dev.toolfleet.catalog.topology;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// Which contents this task has written lately, so that thousands of steps with one content write it once. Writing
/// again now and then lets a content come back that someone removed. For one thread.
final class RecentContents {
    static final Duration AGAIN_AFTER = Duration.ofHours(1);
    private static final int MAX_CONTENTS = 1000;

    private final Map<String, Instant> written = new LinkedHashMap<>();

    /// Whether the content has to be written now; if so, it counts as written.
    boolean isDue(String digest, Instant now) {
        Instant last = written.get(digest);
        if (last != null && now.isBefore(last.plus(AGAIN_AFTER)))
            return false;
        written.remove(digest);
        written.put(digest, now);
        if (written.size() > MAX_CONTENTS)
            written.remove(written.keySet().iterator().next());
        return true;
    }

    void forget() {
        written.clear();
    }
}
