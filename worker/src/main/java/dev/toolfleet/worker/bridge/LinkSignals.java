package dev.toolfleet.worker.bridge;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.toolfleet.mcp.client.ServerListener;
import org.jspecify.annotations.Nullable;

/// Signals to the thread of a [ServerLink]. However many signals of a kind come, one is kept.
///
/// **Threads.** Any; its methods never wait for I/O, so a connection's reader may call them.
final class LinkSignals {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition given = lock.newCondition();
    private boolean stop;
    private boolean changed;
    private @Nullable Listener current;

    /// Listener to one connection. Signals of an earlier connection are ignored.
    final class Listener implements ServerListener {
        private @Nullable String ended;
        private boolean doubted;

        @Override
        public void toolsChanged() {
            lock.lock();
            try {
                if (current == this) {
                    changed = true;
                    given.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void closed(String reason) {
            lock.lock();
            try {
                if (ended == null)
                    ended = reason;
                given.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /// Wishes to know soon if the server still answers.
        void doubt() {
            lock.lock();
            try {
                doubted = true;
                given.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Signal that ended a wait.
    sealed interface Signal {
        /// The link is to end.
        record Stop() implements Signal {}

        /// The connection has ended.
        record Ended(String reason) implements Signal {}

        /// The list of tools may have changed.
        record Changed() implements Signal {}

        /// A call got no answer.
        record Doubted() implements Signal {}

        /// The time is over.
        record Elapsed() implements Signal {}
    }

    /// Returns a listener for the next connection.
    Listener next() {
        lock.lock();
        try {
            changed = false;
            Listener made = new Listener();
            current = made;
            return made;
        } finally {
            lock.unlock();
        }
    }

    void stop() {
        lock.lock();
        try {
            stop = true;
            given.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isStopped() {
        lock.lock();
        try {
            return stop;
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the next signal to a connection.
    Signal await(Listener listener, Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lockInterruptibly();
        try {
            while (true) {
                if (stop)
                    return new Signal.Stop();
                if (listener.ended != null)
                    return new Signal.Ended(listener.ended);
                if (changed) {
                    changed = false;
                    return new Signal.Changed();
                }
                if (listener.doubted) {
                    listener.doubted = false;
                    return new Signal.Doubted();
                }
                if (left <= 0)
                    return new Signal.Elapsed();
                left = given.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits for that time; returns at once when the link is to end.
    void pause(Duration time) throws InterruptedException {
        long left = time.toNanos();
        lock.lockInterruptibly();
        try {
            while (!stop && left > 0)
                left = given.awaitNanos(left);
        } finally {
            lock.unlock();
        }
    }
}
