package dev.toolfleet.loading;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/// When to load again what could not be loaded: at first soon, then ever more rarely, at least [#LAST] after the last try.
/// A retry that loads where it is called takes its time: one at a time, with the pause after its end. One thread asks, any
/// one loads.
public final class Retries {
    /// How often to ask; the first pause too.
    public static final Duration FIRST = Duration.ofSeconds(1);
    /// The longest pause.
    public static final Duration LAST = Duration.ofSeconds(30);

    private final LongSupplier nanos;
    private Duration pause = Duration.ZERO;
    /// Whether one is under way or waits for its thread; what is written before it is cleared is seen after it.
    private final AtomicBoolean underWay = new AtomicBoolean();
    private long ended;

    /// @param nanos the time, as [System#nanoTime()] has it
    public Retries(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /// Whether to load again now. Asked every [#FIRST]. Once it says so, nothing is due until [#once] has ended.
    ///
    /// @param troubled whether something could not be loaded
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

    /// Does what was due, on whichever thread.
    public void once(Runnable load) {
        try {
            load.run();
        } finally {
            ended = nanos.getAsLong();
            underWay.set(false);
        }
    }
}
