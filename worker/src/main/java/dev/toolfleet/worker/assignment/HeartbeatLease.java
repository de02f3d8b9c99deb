package dev.toolfleet.worker.assignment;

import java.time.Duration;
import java.util.function.LongSupplier;

/// Lease that the coordinator's answers renew.
///
/// **Contract.** Answers are counted at samples, and an answer found at a sample is dated to the sample before.
/// Otherwise: a process that was frozen between its request and the answer renews its lease with an old answer.
///
/// **Threads.** One thread samples, any thread reads.
public final class HeartbeatLease implements Lease {
    private final Duration session;
    private final Duration longestJoin;
    private final LongSupplier nanos;
    private volatile long renewed;
    private long sampled;
    private double seen;
    private long joiningSince;
    private boolean joining;

    /// Creates a lease that begins now.
    ///
    /// @param session after which the group gives a silent member up
    /// @param longestJoin the time for which a wait for the group's other members counts as an answer: the group waits
    /// for a member for as long before it goes on without it
    /// @param nanos as `System.nanoTime`
    public HeartbeatLease(Duration session, Duration longestJoin, LongSupplier nanos) {
        this.session = session;
        this.longestJoin = longestJoin;
        this.nanos = nanos;
        this.renewed = nanos.getAsLong();
        this.sampled = renewed;
    }

    /// Begins the lease now: until the first answer the worker owns nothing anyway.
    public void begin() {
        renewed = nanos.getAsLong();
    }

    /// Takes a sample of the number of answers.
    ///
    /// @param now taken before the answers were counted
    /// @param isJoining whether the coordinator lets this member wait for others: it sends no heartbeats meanwhile, and
    /// the group does not give it up
    public void sample(long now, double answers, boolean isJoining) {
        // An answer between two samples may have ended one join and begun another.
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
