package dev.toolfleet.catalog.topology;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// Which contents this task has written lately, so that thousands of steps with one content write it once. Nothing is
/// taken for written that other tasks or earlier lives of this one wrote, nor for longer than
/// [CatalogTopology#CONTENT_AGAIN_AFTER]: a content may be removed that nobody has written for longer. For one thread.
final class RecentContents {
    private static final int MAX_CONTENTS = 1000;

    private final Map<String, Instant> written = new LinkedHashMap<>();

    /// Whether the content has to be written now; if so, it counts as written.
    boolean isDue(String digest, Instant now) {
        Instant last = written.get(digest);
        if (last != null && now.isBefore(last.plus(CatalogTopology.CONTENT_AGAIN_AFTER)))
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
