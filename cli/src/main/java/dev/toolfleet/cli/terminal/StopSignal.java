package dev.toolfleet.cli.terminal;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Ctrl-C and SIGTERM as an interrupt of the thread that runs the command, so that it ends as it would end otherwise:
/// by closing what it opened. The JVM waits for that, at most for `patience`.
public final class StopSignal implements AutoCloseable {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook;

    private StopSignal(Duration patience) {
        Thread command = Thread.currentThread();
        this.hook = new Thread(() -> {
            asked.countDown();
            command.interrupt();
            awaitFinished(patience);
        }, "toolfleet-stop");
    }

    /// Turns signals into an interrupt of the calling thread until it is closed.
    public static StopSignal install(Duration patience) {
        StopSignal signal = new StopSignal(patience);
        Runtime.getRuntime().addShutdownHook(signal.hook);
        return signal;
    }

    /// Waits until a signal comes.
    public void await() {
        try {
            asked.await();
        } catch (InterruptedException e) {
            // The interrupt is the signal; what follows closes and must not be interrupted.
        }
    }

    /// Waits until a signal comes, at most that long.
    ///
    /// @return whether it came
    public boolean await(Duration atMost) {
        try {
            return asked.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    /// True if a signal came.
    public boolean asked() {
        return asked.getCount() == 0;
    }

    private void awaitFinished(Duration patience) {
        try {
            finished.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Lets the JVM go.
    @Override
    public void close() {
        finished.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is already ending, which is why we are here.
        }
    }
}
