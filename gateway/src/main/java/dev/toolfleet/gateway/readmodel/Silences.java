package dev.toolfleet.gateway.readmodel;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import dev.toolfleet.http.HostPort;

/// Replicas that could not be reached a moment ago. Thread-safe.
///
/// **Why.** A machine that is gone refuses no connection. Otherwise: until the group has given its partitions away, each
/// read waits for a connection before a copy answers.
final class Silences {
    /// The time after which a replica is tried again.
    static final Duration PAUSE = Duration.ofMillis(500);

    private final LongSupplier nanoTime;
    private final ConcurrentHashMap<HostPort, Long> begun = new ConcurrentHashMap<>();

    /// @param nanoTime as [System#nanoTime]
    Silences(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void begin(HostPort replica) {
        begun.put(replica, nanoTime.getAsLong());
    }

    boolean isSilent(HostPort replica) {
        Long since = begun.get(replica);
        if (since == null)
            return false;
        if (nanoTime.getAsLong() - since < PAUSE.toNanos())
            return true;
        begun.remove(replica, since);
        return false;
    }
}
