package dev.toolfleet.catalog.sweep;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.toolfleet.catalog.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sweeps now and then, on a thread of its own, while it is this service's turn. A round that fails is logged, and the
/// next one finds what it left.
///
/// Started and closed once, from any thread.
public final class SweepLoop implements AutoCloseable {
    /// How often to look whose turn it is.
    public static final Duration LOOK_EVERY = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(SweepLoop.class);
    private static final Duration LONGEST = Duration.ofHours(6);
    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final BooleanSupplier turn;
    private final Supplier<Set<String>> round;
    private final Duration lookEvery;
    private final Duration interval;
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Thread thread;

    /// @param turn whether this service is the one that sweeps; being wrong costs reading
    /// @param round removes contents and says which
    /// @param lookEvery from the start to the first look whose turn it is, and from one to the next
    /// @param interval at least from one round to the next
    public SweepLoop(BooleanSupplier turn, Supplier<Set<String>> round, Duration lookEvery, Duration interval) {
        this.turn = turn;
        this.round = round;
        this.lookEvery = lookEvery;
        this.interval = interval;
    }

    /// How often to sweep: a round reads whole topics, and a content may stay a quarter of its time longer.
    public static Duration interval(Duration retention) {
        Duration quarter = retention.dividedBy(4);
        return quarter.compareTo(LONGEST) > 0 ? LONGEST : quarter;
    }

    /// Returns at once.
    public synchronized void start() {
        if (closed.getCount() > 0 && thread == null)
            thread = Thread.ofPlatform().daemon().name("toolfleet-content-sweep").start(this::loop);
    }

    private void loop() {
        try {
            long due = System.nanoTime();
            while (!closed.await(lookEvery.toMillis(), TimeUnit.MILLISECONDS)) {
                if (System.nanoTime() - due >= 0 && sweep())
                    due = System.nanoTime() + interval.toNanos();
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    /// Whether it was this process's turn. Nothing but the close ends the loop: nobody else sweeps in its place.
    private boolean sweep() {
        try {
            if (!turn.getAsBoolean())
                return false;
            Set<String> removed = round.get();
            LOG.atInfo().addKeyValue(LogKeys.COUNT, removed.size()).log("Contents that nothing refers to were removed");
        } catch (RuntimeException | Error e) {
            if (closed.getCount() > 0)
                LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString()).log("Contents could not be swept");
        }
        return true;
    }

    /// Ends a round that is under way; what it had not committed stays.
    @Override
    public void close() {
        closed.countDown();
        Thread running = running();
        if (running == null)
            return;
        running.interrupt();
        try {
            running.join(CLOSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized @Nullable Thread running() {
        return thread;
    }
}
