package dev.toolfleet.bench.crash;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Calls that wait for their results. A call that goes pending waits for one final result, however often it is written;
/// any other for one for each record. Thread-safe.
final class AwaitedCalls {
    private final Map<String, Integer> missing = new HashMap<>();
    private final Set<String> deferred = new HashSet<>();
    private final Set<String> pending = new HashSet<>();
    private final Set<String> doubtful = new HashSet<>();
    private int open;
    private int sent;
    private int answered;

    /// A record of the call is about to be written.
    ///
    /// @param goesPending whether the call has a pending result before the final one
    synchronized void sent(String id, boolean goesPending) {
        sent++;
        // The new record has a result for certain.
        doubtful.remove(id);
        if (goesPending && !deferred.add(id))
            return;
        if (missing.merge(id, 1, Integer::sum) > 0)
            open++;
    }

    /// A pending result of the call came.
    synchronized void pending(String id) {
        pending.add(id);
    }

    /// A final result of the call came.
    synchronized void answered(String id) {
        answered++;
        if (doubtful.remove(id))
            return;
        if (missing.merge(id, -1, Integer::sum) >= 0)
            open--;
    }

    /// The topic of all records so far was deleted: those that no worker has begun are not waited for any more.
    synchronized void topicDeleted() {
        Set<String> gone = new HashSet<>();
        missing.forEach((id, count) -> {
            if (count > 0 && !pending.contains(id)) {
                open -= count;
                gone.add(id);
            }
        });
        gone.forEach(id -> missing.put(id, 0));
        deferred.removeAll(gone);
        doubtful.addAll(gone);
    }

    /// The number of results that are waited for.
    synchronized int open() {
        return open;
    }

    /// The number of calls that may have gone with a deleted topic, and may be answered all the same.
    synchronized int doubtful() {
        return doubtful.size();
    }

    /// The number of records that were written.
    synchronized int sent() {
        return sent;
    }

    /// The number of final results that came.
    synchronized int answered() {
        return answered;
    }

    /// Some of the open ones.
    synchronized Set<String> some(int count) {
        Set<String> ids = new TreeSet<>();
        missing.entrySet().stream().filter(entry -> entry.getValue() > 0).limit(count)
                .forEach(entry -> ids.add(entry.getKey()));
        return ids;
    }
}
