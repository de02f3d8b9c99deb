package dev.toolfleet.worker.execute;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

import dev.toolfleet.worker.telemetry.LogKeys;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Platform threads on which this JVM's virtual threads run.
///
/// **Contract.** There are more of them than processors only while virtual threads would wait for one, and for each
/// abandoned handler.
///
/// **Threads.** One for the whole JVM, because the scheduler is. Thread-safe.
///
/// **Why.** A virtual thread that computes leaves its carrier to no other until it waits. Otherwise: with one carrier
/// for each processor, as many computing handlers stop every other call until they end or are abandoned. Among more
/// carriers the operating system shares the processors out. But carriers that are woken for short calls cost more than
/// these calls (`docs/decisions/0046`).
final class CarrierThreads {
    /// Number of handlers that can compute at once while other calls still run.
    static final int SPREAD = 32;

    private static final Logger LOG = LoggerFactory.getLogger(CarrierThreads.class);
    private static final String OPERATORS_CHOICE = "jdk.virtualThreadScheduler.parallelism";
    private static final VirtualThreadSchedulerMXBean SCHEDULER = ManagementFactory
            .getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    private static final int FEWEST = SCHEDULER.getParallelism();
    /// The JVM's own upper limit.
    private static final int MOST = Integer.getInteger("jdk.virtualThreadScheduler.maxPoolSize",
            Math.max(FEWEST, 256));

    private static final LongAdder MOVED = new LongAdder();
    private static @Nullable Thread watcher;
    private static boolean spread;
    private static int abandoned;

    private CarrierThreads() {}

    /// Starts a watcher that raises the number of carriers to [#SPREAD] while virtual threads wait for a carrier and
    /// none of them moves. Does nothing if the operator has chosen the number of carriers.
    static synchronized void watch() {
        if (watcher == null && System.getProperty(OPERATORS_CHOICE) == null)
            watcher = Thread.ofPlatform().daemon().name("carriers").start(CarrierThreads::look);
    }

    /// Notes that a handler begins or ends, so its carrier is not stuck. Cheap.
    static void moved() {
        MOVED.increment();
    }

    /// Adds a carrier for an abandoned handler, which may never leave its own.
    static synchronized void add() {
        abandoned++;
        apply();
    }

    /// Removes a carrier, because an abandoned handler has ended.
    static synchronized void remove() {
        abandoned--;
        apply();
    }

    private static void look() {
        CarrierStarvation demand = new CarrierStarvation(System.nanoTime());
        while (true) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(CarrierStarvation.LOOK_MILLIS));
            spread(demand.spreads(SCHEDULER.getQueuedVirtualThreadCount(), MOVED.sum(), System.nanoTime()));
        }
    }

    private static synchronized void spread(boolean wanted) {
        if (wanted == spread)
            return;
        spread = wanted;
        apply();
        // Logs on another thread. Otherwise: the watcher waits for the log's lock, and the holder of that lock waits
        // for a carrier.
        if (wanted)
            Thread.ofVirtual().name("carriers-log").start(() -> LOG.atInfo().addKeyValue(LogKeys.COUNT, SPREAD)
                    .log("carrier threads added: computing handlers left none to other calls"));
    }

    private static void apply() {
        int wanted = (spread ? Math.max(SPREAD, FEWEST) : FEWEST) + abandoned;
        // A handler that ends at the moment of its abandonment may be subtracted before it is added.
        SCHEDULER.setParallelism(Math.clamp(wanted, 1, MOST));
    }
}
