package dev.toolfleet.hosts;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;

import org.jspecify.annotations.Nullable;

/// Signal that a process has to end, with the first reason. A call that does not end after its cancellation gives the
/// signal once the other calls have ended, or after [#RETIREMENT].
///
/// **Threads.** Any; one thread waits.
final class EndSignal {
    /// The longest life of a process after one of its handlers did not end.
    static final Duration RETIREMENT = Duration.ofSeconds(30);
    private static final Duration TICK = Duration.ofSeconds(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final IntSupplier requests;
    private final List<HostRequest> abandoned = new ArrayList<>();
    private @Nullable End end;
    private long retireBy;
    private boolean retiring;
    private volatile boolean off = true;

    /// End of a process.
    ///
    /// @param wanted false if nothing ended it: it counts as a death
    /// @param kill true if it gets no time to end by itself
    record End(String text, boolean wanted, boolean kill) {
        static End of(String text) {
            return new End(text, false, false);
        }

        static End killed(String text) {
            return new End(text, false, true);
        }

        static End wanted(String text) {
            return new End(text, true, false);
        }
    }

    /// @param requests the number of requests without a reply
    EndSignal(IntSupplier requests) {
        this.requests = requests;
    }

    /// True if the process need not end, now or soon.
    boolean isOff() {
        return off;
    }

    /// Gives the signal; the first reason counts.
    void give(End reason) {
        lock.lock();
        try {
            if (end == null)
                end = reason;
            off = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Gives the signal once all calls have ended.
    void retire() {
        lock.lock();
        try {
            retiring = true;
            off = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Notes a call that did not end after its cancellation.
    void abandon(HostRequest stuck) {
        lock.lock();
        try {
            if (abandoned.isEmpty())
                retireBy = System.nanoTime() + RETIREMENT.toNanos();
            abandoned.add(stuck);
            off = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the signal at most until the next tick. Returns the reason to end; null for none.
    @Nullable
    End await() throws InterruptedException {
        lock.lock();
        try {
            long left = TICK.toNanos();
            while (end == null && left > 0) {
                if (isAbandoned())
                    end = new End("a handler did not end after its cancellation", true, true);
                else if (retiring && requests.getAsInt() == 0)
                    end = End.wanted("it has had its calls or its time");
                else
                    left = changed.awaitNanos(left);
            }
            return end;
        } finally {
            lock.unlock();
        }
    }

    /// True if a handler did not end after its cancellation, and the others have ended or had their time.
    private boolean isAbandoned() {
        if (abandoned.isEmpty())
            return false;
        long open = abandoned.stream().filter(request -> !request.isEnded()).count();
        return requests.getAsInt() <= open || System.nanoTime() - retireBy >= 0;
    }
}
