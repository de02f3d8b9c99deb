package dev.toolfleet.catalog.app;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import dev.toolfleet.catalog.telemetry.LogKeys;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Replaces a thread that died, as long as the service has been ready once;
/// before that, whoever starts it hears why. A thread that keeps dying is
/// replaced more and more slowly. Thread-safe.
final class ThreadReplacement implements StreamsUncaughtExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadReplacement.class);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration FORGIVEN_AFTER = Duration.ofMinutes(5);

    private final BooleanSupplier ready;
    private final AtomicInteger replaced = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> last = new AtomicReference<>();
    private int inARow;
    private long lastNanos;

    ThreadReplacement(BooleanSupplier ready) {
        this.ready = ready;
    }

    @Override
    public StreamThreadExceptionResponse handle(Throwable problem) {
        last.set(problem);
        if (!ready.getAsBoolean())
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        LOG.atError().addKeyValue(LogKeys.COUNT, replaced.incrementAndGet()).setCause(problem)
                .log("Catalog thread died and is replaced");
        // This is the dying thread, and its successor starts when it returns.
        LockSupport.parkNanos(pause().toNanos());
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    /// How many threads were replaced.
    int count() {
        return replaced.get();
    }

    /// Why the last one died.
    @Nullable
    Throwable last() {
        return last.get();
    }

    private synchronized Duration pause() {
        long now = System.nanoTime();
        inARow = now - lastNanos > FORGIVEN_AFTER.toNanos() ? 1 : inARow + 1;
        lastNanos = now;
        Duration pause = Duration.ofMillis(100L << Math.min(inARow - 1, 10));
        return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    }
}
