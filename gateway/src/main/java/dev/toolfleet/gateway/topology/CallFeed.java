package dev.toolfleet.gateway.topology;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.toolfleet.gateway.calls.CallId;

/// Changes of calls and positions of partitions, as the tasks of this process report them to waiting readers.
///
/// **Contract.** A reader takes the version of its call or instance, reads the store, and waits for another version. So
/// it misses no change. It may wake up for changes of others.
///
/// **Threads.** Thread-safe.
public final class CallFeed {
    /// Readers of different calls share a stripe.
    private static final int STRIPES = 1024;

    private final Stripe[] stripes = new Stripe[STRIPES];
    private final ConcurrentHashMap<Integer, Long> positions = new ConcurrentHashMap<>();

    private static final class Stripe {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private long version;
    }

    /// Makes a feed without positions.
    public CallFeed() {
        Arrays.setAll(stripes, _ -> new Stripe());
    }

    /// Returns the hash of a call for [#version].
    public static int hash(CallId id) {
        return id.hashCode();
    }

    /// Returns the hash of an instance's digest for [#version].
    public static int hash(byte[] instance) {
        return Arrays.hashCode(instance);
    }

    /// Returns the present version.
    public long version(int hash) {
        Stripe stripe = stripe(hash);
        stripe.lock.lock();
        try {
            return stripe.version;
        } finally {
            stripe.lock.unlock();
        }
    }

    /// Waits until the version is another one, at most that long.
    ///
    /// @throws InterruptedException when the waiting thread is interrupted
    public void await(int hash, long version, Duration atMost) throws InterruptedException {
        Stripe stripe = stripe(hash);
        long nanos = atMost.toNanos();
        stripe.lock.lockInterruptibly();
        try {
            while (stripe.version == version && nanos > 0)
                nanos = stripe.changed.awaitNanos(nanos);
        } finally {
            stripe.lock.unlock();
        }
    }

    /// Returns the offset behind the last call that was read of a partition; 0 when none is known.
    public long position(int partition) {
        return positions.getOrDefault(partition, 0L);
    }

    void changed(int hash) {
        Stripe stripe = stripe(hash);
        stripe.lock.lock();
        try {
            stripe.version++;
            stripe.changed.signalAll();
        } finally {
            stripe.lock.unlock();
        }
    }

    void passed(int partition, long next) {
        positions.merge(partition, next, Math::max);
    }

    void forget(int partition) {
        positions.remove(partition);
    }

    private Stripe stripe(int hash) {
        return stripes[Math.floorMod((hash * 0x9E3779B9) >>> 16, STRIPES)];
    }
}
