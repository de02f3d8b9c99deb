package dev.toolfleet.oauth.owner;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Room for the requests of an owner's partitions to authorization servers: a bound for all of them, and one for each
/// OAuthApp. Otherwise: one server that is slow takes all of the room, and no other app's token is refreshed.
///
/// **Threads.** Thread-safe.
final class RequestRoom {
    /// The most requests under way.
    static final int MOST = 64;
    /// The most requests of one OAuthApp under way.
    static final int MOST_OF_APP = 16;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Integer> underWay = new HashMap<>();
    private int all;
    private int unread;
    private boolean closed;

    /// Takes a place for a request.
    ///
    /// @return false if there is none now
    boolean enter(String app) {
        lock.lock();
        try {
            int own = underWay.getOrDefault(app, 0);
            if (closed || all >= MOST || own >= MOST_OF_APP)
                return false;
            underWay.put(app, own + 1);
            all++;
            unread++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Gives the place of a request back, whose answer is there.
    void leave(String app) {
        lock.lock();
        try {
            underWay.computeIfPresent(app, (name, own) -> own > 1 ? own - 1 : null);
            all--;
        } finally {
            lock.unlock();
        }
    }

    /// Notes that answers were applied, or will be applied by no partition of this owner.
    void read(int answers) {
        lock.lock();
        try {
            unread -= answers;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Gives no more places, and waits until all answers have been applied.
    ///
    /// @return false if some have not after `atMost`
    boolean drain(Duration atMost) {
        long left = atMost.toNanos();
        lock.lock();
        try {
            closed = true;
            while (unread > 0 && left > 0)
                left = changed.awaitNanos(left);
            return unread == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}
