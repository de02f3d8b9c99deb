package dev.toolfleet.loading;

import java.time.Duration;
import java.util.function.LongSupplier;

/// When to load again what could not be loaded: at first soon, then ever more rarely, at least every [#LAST]. What fails
/// may take its time on the thread that follows the topics. For one thread.
public final class Retries {
    /// How often to ask; the first pause too.
    public static final Duration FIRST = Duration.ofSeconds(1);
    /// The longest pause.
    public static final Duration LAST = Duration.ofSeconds(30);

    private final LongSupplier nanos;
    private Duration pause = Duration.ZERO;
    private long since;

    /// @param nanos the time, as [System#nanoTime()] has it
    public Retries(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /// Whether to load again now. Asked every [#FIRST].
    ///
    /// @param troubled whether something could not be loaded
    public boolean isDue(boolean troubled) {
        if (!troubled) {
            pause = Duration.ZERO;
            return false;
        }
        long now = nanos.getAsLong();
        if (!pause.isZero() && now - since < pause.toNanos())
            return false;
        since = now;
        pause = pause.isZero() ? FIRST : pause.multipliedBy(2);
        if (pause.compareTo(LAST) > 0)
            pause = LAST;
        return true;
    }
}
