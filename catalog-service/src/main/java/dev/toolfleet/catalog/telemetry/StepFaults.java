package dev.toolfleet.catalog.telemetry;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counter and log of faults in the making of steps' catalogs. Every case counts. The same one is logged once a minute,
/// since there are hundreds of steps a second. Thread-safe.
public final class StepFaults {
    private static final Logger LOG = LoggerFactory.getLogger(StepFaults.class);
    static final Duration QUIET = Duration.ofMinutes(1);
    private static final int MAX_REMEMBERED = 1000;

    private final InstantSource clock;
    private final ConcurrentMap<Fault, Instant> logged = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, LongAdder> counts = new ConcurrentHashMap<>();

    /// @param kind the text up to its first colon, without the varying part
    private record Fault(String agent, String where, String kind) {}

    /// Starts without faults.
    public StepFaults(InstantSource clock) {
        this.clock = clock;
    }

    /// Counts a fault, and logs it unless it was logged within the last minute.
    ///
    /// @param where the extension, as bundle and name, or the part of the service
    /// @param what a sentence, the same up to its first colon for the same fault; may name tools, never their arguments
    ///        or results
    public void report(String agent, String where, String what) {
        counts.computeIfAbsent(where, none -> new LongAdder()).increment();
        Instant now = clock.instant();
        if (logged.size() >= MAX_REMEMBERED)
            logged.clear();
        Fault fault = new Fault(agent, where, what.substring(0, (what + ':').indexOf(':')));
        Instant last = logged.get(fault);
        if (last != null && now.isBefore(last.plus(QUIET)))
            return;
        logged.put(fault, now);
        LOG.atWarn().addKeyValue(CatalogLogKeys.AGENT, agent).addKeyValue(CatalogLogKeys.EXTENSION, where)
                .addKeyValue(CatalogLogKeys.REASON, what).log("fault in the making of a catalog");
    }

    /// Number of faults.
    public long total() {
        return counts.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /// Number of faults by place.
    public Map<String, Long> counts() {
        Map<String, Long> sums = new TreeMap<>();
        counts.forEach((where, count) -> sums.put(where, count.sum()));
        return sums;
    }
}
