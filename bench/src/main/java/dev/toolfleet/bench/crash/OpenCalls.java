package dev.toolfleet.bench.crash;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Which calls wait for a result. Thread-safe.
final class OpenCalls {
    private final Map<String, Integer> missing = new HashMap<>();
    private int open;
    private int sent;
    private int answered;

    /// A record of the call is about to be written.
    synchronized void sent(String id) {
        sent++;
        if (missing.merge(id, 1, Integer::sum) > 0)
            open++;
    }

    /// A final result of the call came.
    synchronized void answered(String id) {
        answered++;
        if (missing.merge(id, -1, Integer::sum) >= 0)
            open--;
    }

    /// How many records still lack a result.
    synchronized int open() {
        return open;
    }

    /// How many records were written.
    synchronized int sent() {
        return sent;
    }

    /// How many final results came.
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
