package dev.toolfleet.catalog.topology;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// Contents that this task has written recently, so that thousands of steps with one content write it once. It does not
/// count writes of other tasks or of earlier lives of this one, nor older ones than
/// [CatalogTopology#CONTENT_AGAIN_AFTER]: a content that was not written for longer may be removed. For one thread.
final class RecentContents {
    private static final int MAX_CONTENTS = 1000;

    private final Map<String, Instant> written = new LinkedHashMap<>();

    /// True if the content must be written now; it then counts as written.
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
