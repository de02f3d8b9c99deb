package dev.toolfleet.catalog.sweep;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.toolfleet.catalog.telemetry.CatalogLogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Loop that sweeps regularly, on its own thread, while this service has the turn. A failed round is logged; the next
/// one finds its rest.
///
/// **Threads.** Started and closed once, from any thread.
public final class SweepLoop implements AutoCloseable {
    /// The interval of checks for the turn.
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

    /// @param turn true if this service is the one that sweeps; a wrong answer only costs reading
    /// @param round removes contents and returns their digests
    /// @param lookEvery the time from the start to the first check of the turn, and between checks
    /// @param interval the least time between two rounds
    public SweepLoop(BooleanSupplier turn, Supplier<Set<String>> round, Duration lookEvery, Duration interval) {
        this.turn = turn;
        this.round = round;
        this.lookEvery = lookEvery;
        this.interval = interval;
    }

    /// Returns the interval of rounds: a round reads whole topics, and a content may stay a quarter of its time longer.
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

    /// Sweeps if this process has the turn; returns whether it had. Only the close ends the loop: no other process
    /// sweeps in its place.
    private boolean sweep() {
        try {
            if (!turn.getAsBoolean())
                return false;
            Set<String> removed = round.get();
            LOG.atInfo().addKeyValue(CatalogLogKeys.COUNT, removed.size()).log("unreferenced contents removed");
        } catch (RuntimeException | Error e) {
            if (closed.getCount() > 0)
                LOG.atWarn().addKeyValue(CatalogLogKeys.REASON, e.toString()).log("content sweep failed");
        }
        return true;
    }

    /// Ends a running round; its uncommitted part stays.
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
