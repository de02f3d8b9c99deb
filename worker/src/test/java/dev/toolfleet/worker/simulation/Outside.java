package dev.toolfleet.worker.simulation;

import java.util.HashMap;
import java.util.Map;

import dev.toolfleet.tool.Reconciliation;

/// The system that tools act on: what happened in it, by idempotency key, and what it would refuse.
final class Outside {
    private final Map<String, Integer> happened = new HashMap<>();
    /// Starts up to this attempt come too late.
    private final Map<String, Integer> refused = new HashMap<>();

    void happens(String key) {
        happened.merge(key, 1, Integer::sum);
    }

    boolean hasHappened(String key) {
        return happened.containsKey(key);
    }

    int times(String key) {
        return happened.getOrDefault(key, 0);
    }

    boolean mayHappen(String key, int attempt) {
        return attempt > refused.getOrDefault(key, 0);
    }

    Reconciliation refuse(String key, int attempt) {
        refused.merge(key, attempt, Math::max);
        return Reconciliation.didNotHappen();
    }
}
