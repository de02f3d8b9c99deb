package dev.toolfleet.loading;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/// Schedule of retries after a failed load: the first soon, later ones more rarely, at least [#LAST] after the last
/// try.
///
/// **Contract.** One retry at a time, with the pause after its end; a retry may load on the calling thread and take
/// long.
///
/// **Threads.** One thread calls [#isDue], any one thread loads.
public final class Retries {
    /// The interval of checks; the first pause too.
    public static final Duration FIRST = Duration.ofSeconds(1);
    /// The longest pause.
    public static final Duration LAST = Duration.ofSeconds(30);

    private final LongSupplier nanos;
    private Duration pause = Duration.ZERO;
    /// True while a retry runs or waits for its thread. Writes before it is cleared are visible after it.
    private final AtomicBoolean underWay = new AtomicBoolean();
    private long ended;

    /// @param nanos the time, as of [System#nanoTime()]
    public Retries(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /// True if a load is due now; call it every [#FIRST]. After it has returned true, it returns false until [#once]
    /// has ended.
    ///
    /// @param troubled true if something could not be loaded
    public boolean isDue(boolean troubled) {
        if (underWay.get())
            return false;
        if (!troubled) {
            pause = Duration.ZERO;
            return false;
        }
        if (!pause.isZero() && nanos.getAsLong() - ended < pause.toNanos())
            return false;
        pause = pause.isZero() ? FIRST : pause.multipliedBy(2);
        if (pause.compareTo(LAST) > 0)
            pause = LAST;
        underWay.set(true);
        return true;
    }

    /// Runs the load that was due, on the calling thread.
    public void once(Runnable load) {
        try {
            load.run();
        } finally {
            ended = nanos.getAsLong();
            underWay.set(false);
        }
    }
}
