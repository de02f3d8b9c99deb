package dev.toolfleet.worker.assignment;

import java.time.Duration;
import java.util.function.LongSupplier;

/// A lease that the coordinator's answers renew. They are counted at samples, and one that is found at a sample is dated
/// to the sample before: a process that was frozen between asking and reading the answer has not renewed its lease.
///
/// Sampled by one thread, asked by any.
public final class HeartbeatLease implements Lease {
    private final Duration session;
    private final Duration longestJoin;
    private final LongSupplier nanos;
    private volatile long renewed;
    private long sampled;
    private double seen;
    private long joiningSince;
    private boolean joining;

    /// A lease that begins now.
    ///
    /// @param session after which the group gives a silent member up
    /// @param longestJoin for how long a wait for the group's other members counts as an answer: as long as the group
    ///        waits for a member before it goes on without it
    /// @param nanos as `System.nanoTime`
    public HeartbeatLease(Duration session, Duration longestJoin, LongSupplier nanos) {
        this.session = session;
        this.longestJoin = longestJoin;
        this.nanos = nanos;
        this.renewed = nanos.getAsLong();
        this.sampled = renewed;
    }

    /// The lease begins now: until the first answer the worker owns nothing anyway.
    public void begin() {
        renewed = nanos.getAsLong();
    }

    /// Looks how many answers have come.
    ///
    /// @param now taken before the answers were counted
    /// @param isJoining whether the coordinator lets this member wait for others: it sends no heartbeats meanwhile, and
    ///        the group does not give it up
    public void sample(long now, double answers, boolean isJoining) {
        // An answer between two samples may have ended one join and let another begin.
        if (isJoining && (!joining || answers != seen))
            joiningSince = now;
        joining = isJoining;
        boolean waits = joining && now - joiningSince < longestJoin.toNanos();
        if (answers != seen || waits)
            renewed = sampled;
        seen = answers;
        sampled = now;
    }

    @Override
    public boolean expired() {
        return nanos.getAsLong() - renewed > session.toNanos();
    }

    @Override
    public Duration age() {
        return Duration.ofNanos(nanos.getAsLong() - renewed);
    }
}
