package dev.toolfleet.worker.assignment;

import java.time.Duration;
import java.util.function.LongSupplier;

/// A lease that the coordinator's answers renew. They are counted at samples, and one that is found at a sample is dated
/// to the sample before: a process that was frozen between asking and reading the answer has not renewed its lease.
///
/// Sampled by one thread, asked by any.
public final class HeartbeatLease implements Lease {
    /// For how many session timeouts a wait for the group's other members counts as an answer.
    private static final int LONGEST_JOIN = 3;

    private final Duration session;
    private final LongSupplier nanos;
    private volatile long renewed;
    private long sampled;
    private double seen;
    private long joiningSince;
    private boolean joining;

    /// A lease that begins now.
    ///
    /// @param session after which the group gives a silent member up
    /// @param nanos as `System.nanoTime`
    public HeartbeatLease(Duration session, LongSupplier nanos) {
        this.session = session;
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
        if (isJoining && !joining)
            joiningSince = now;
        joining = isJoining;
        boolean waits = joining && now - joiningSince < LONGEST_JOIN * session.toNanos();
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
