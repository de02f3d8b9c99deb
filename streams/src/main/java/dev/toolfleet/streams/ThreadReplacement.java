package dev.toolfleet.streams;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import dev.toolfleet.error.Unquoted;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Replaces a thread that died after the run was ready. A failure before that goes to the caller of the start. A thread
/// that keeps dying is replaced after longer and longer pauses. Thread-safe.
final class ThreadReplacement implements StreamsUncaughtExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadReplacement.class);
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration FORGIVEN_AFTER = Duration.ofMinutes(5);

    private final String name;
    private final BooleanSupplier ready;
    private final LongSupplier nanoTime;
    private final Consumer<Duration> rest;
    private final AtomicInteger replaced = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> last = new AtomicReference<>();
    private int inARow;
    private long lastNanos;

    /// @param name the run's name
    /// @param ready true once the run has been ready
    /// @param nanoTime such as [System#nanoTime()]
    /// @param rest makes the calling thread wait
    ThreadReplacement(String name, BooleanSupplier ready, LongSupplier nanoTime, Consumer<Duration> rest) {
        this.name = name;
        this.ready = ready;
        this.nanoTime = nanoTime;
        this.rest = rest;
    }

    @Override
    public StreamThreadExceptionResponse handle(Throwable problem) {
        last.set(problem);
        if (!ready.getAsBoolean())
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        LOG.atError().addKeyValue(StreamsLogKeys.RUN, name)
                .addKeyValue(StreamsLogKeys.COUNT, replaced.incrementAndGet())
                .setCause(Unquoted.of(problem)).log("Streams thread died and is being replaced");
        // The dying thread runs this; its successor starts when it returns.
        rest.accept(pause());
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    /// Number of replaced threads.
    int count() {
        return replaced.get();
    }

    /// The problem that ended the last thread.
    @Nullable
    Throwable last() {
        return last.get();
    }

    private synchronized Duration pause() {
        long now = nanoTime.getAsLong();
        inARow = inARow == 0 || now - lastNanos > FORGIVEN_AFTER.toNanos() ? 1 : inARow + 1;
        lastNanos = now;
        Duration pause = Duration.ofMillis(FIRST_PAUSE_MILLIS << Math.min(inARow - 1, 10));
        return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    }
}
