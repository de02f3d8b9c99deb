package dev.toolfleet.catalog.middleware;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/// One run of an extension's code on one thread, for a caller that waits on another.
///
/// States: *running* (its time counts), *inside* (the layers inside it run, each under its own limit), *ended*, *left
/// behind*. One monitor guards them, so that each of these pairs has one order:
/// - *It ends as its limit is reached.* Ended first: the caller takes its list. Left behind first: its last changes do
///   not count, and its next call reports that.
/// - *It proceeds as its limit is reached.* Inside first: its clock stands still. Left behind first: it gets an
///   exception, and no layer inside it runs for it.
/// - *It is interrupted as it ends.* The interrupt goes only to a run that has not ended. Otherwise: it reaches the
///   next code of that thread.
public final class LayerTurn {
    private final Duration limit;
    private long left;
    private long runsSince;
    private boolean inside;
    private boolean ended;
    private boolean leftBehind;
    private @Nullable Thread thread;
    private @Nullable Throwable problem;

    LayerTurn(Duration limit) {
        this.limit = limit;
        this.left = limit.toNanos();
        this.runsSince = System.nanoTime();
    }

    /// Runs the code on the calling thread.
    void run(LayerThreads.Code code) {
        synchronized (this) {
            if (leftBehind)
                return;
            thread = Thread.currentThread();
        }
        Throwable thrown = null;
        try {
            code.run(this);
        } catch (Throwable e) {
            // An Error of an extension must not end the thread that answers steps either.
            thrown = e;
        }
        synchronized (this) {
            ended = true;
            thread = null;
            problem = thrown;
            notifyAll();
        }
        // Clears an interrupt of a caller that gave the run up just as it ended.
        boolean _ = Thread.interrupted();
    }

    /// Applies a change to the list of the waiting step.
    ///
    /// @throws LeftBehindException when the step has gone on without this code
    public void forTheStep(Runnable change) {
        synchronized (this) {
            checkWaited();
            change.run();
        }
    }

    /// Runs the layers inside.
    ///
    /// @throws LeftBehindException when the step has gone on without this code
    void proceed(Runnable layersInside) {
        synchronized (this) {
            checkWaited();
            left -= System.nanoTime() - runsSince;
            inside = true;
            notifyAll();
        }
        try {
            layersInside.run();
        } finally {
            synchronized (this) {
                runsSince = System.nanoTime();
                inside = false;
                notifyAll();
            }
        }
    }

    private void checkWaited() {
        if (leftBehind)
            throw new LeftBehindException("the step has gone on without this code, which took more than "
                    + limit.toMillis() + " ms");
    }

    /// Waits until the code has ended or used up its limit.
    ///
    /// @param leave called before it is left behind
    /// @return the reason of its failure; null for none
    @Nullable
    Throwable await(Runnable leave) {
        boolean interrupted = false;
        try {
            synchronized (this) {
                while (!ended) {
                    long rest = inside ? Long.MAX_VALUE : left - (System.nanoTime() - runsSince);
                    if (rest <= 0) {
                        leave.run();
                        leftBehind = true;
                        if (thread != null)
                            thread.interrupt();
                        return new LeftBehindException("it has not returned after " + limit.toMillis()
                                + " ms and is not waited for any longer");
                    }
                    try {
                        // Rounded up. Otherwise: it checks again and again in the last millisecond.
                        wait(inside ? 0 : rest / 1_000_000 + 1);
                    } catch (InterruptedException e) {
                        // Keeps waiting: the run has a limit, and a half-done list must not count as the layers' list.
                        interrupted = true;
                    }
                }
                return problem;
            }
        } finally {
            if (interrupted)
                Thread.currentThread().interrupt();
        }
    }

    synchronized boolean isLeftBehind() {
        return leftBehind;
    }
}
