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

/// The platform threads on which this JVM's virtual threads run. A virtual thread that computes leaves its carrier to
/// no other until it waits for something. With one carrier for each processor, as many handlers that compute stop every
/// other call until they end or are given up; among more carriers the operating system shares the processors out. But
/// carriers that are woken for calls which take no time cost more than these calls (decision 0046): so there are more of
/// them only while somebody would wait for one, and where handlers were abandoned.
///
/// One for the whole JVM, since the scheduler is. Thread-safe.
final class Carriers {
    /// So many handlers may compute at a time, and the other calls go on.
    static final int SPREAD = 32;

    private static final Logger LOG = LoggerFactory.getLogger(Carriers.class);
    private static final String OPERATORS_CHOICE = "jdk.virtualThreadScheduler.parallelism";
    private static final VirtualThreadSchedulerMXBean SCHEDULER = ManagementFactory
            .getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    private static final int FEWEST = SCHEDULER.getParallelism();
    /// The JVM's own bound, beyond which it takes no more.
    private static final int MOST = Integer.getInteger("jdk.virtualThreadScheduler.maxPoolSize",
            Math.max(FEWEST, 256));

    private static final LongAdder MOVED = new LongAdder();
    private static @Nullable Thread watcher;
    private static boolean spread;
    private static int abandoned;

    private Carriers() {}

    /// Sees to it from now on that there are [#SPREAD] while virtual threads wait for a carrier and none of them moves,
    /// unless the operator has chosen how many there are.
    static synchronized void watch() {
        if (watcher == null && System.getProperty(OPERATORS_CHOICE) == null)
            watcher = Thread.ofPlatform().daemon().name("carriers").start(Carriers::look);
    }

    /// A handler begins or ends, so its carrier is not stuck. Cheap.
    static void moved() {
        MOVED.increment();
    }

    /// One more: a handler was given up that may never leave its own.
    static synchronized void add() {
        abandoned++;
        apply();
    }

    /// One less.
    static synchronized void remove() {
        abandoned--;
        apply();
    }

    private static void look() {
        CarrierDemand demand = new CarrierDemand(System.nanoTime());
        while (true) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(CarrierDemand.LOOK_MILLIS));
            spread(demand.spreads(SCHEDULER.getQueuedVirtualThreadCount(), MOVED.sum(), System.nanoTime()));
        }
    }

    private static synchronized void spread(boolean wanted) {
        if (wanted == spread)
            return;
        spread = wanted;
        apply();
        // Not by who looks: whoever holds the log's lock may be waiting for a carrier.
        if (wanted)
            Thread.ofVirtual().name("carriers-log").start(() -> LOG.atInfo().addKeyValue(LogKeys.COUNT, SPREAD)
                    .log("handlers compute and leave no carrier to other calls, more are taken"));
    }

    private static void apply() {
        int wanted = (spread ? Math.max(SPREAD, FEWEST) : FEWEST) + abandoned;
        // Who ends at the moment of being given up may be counted out before it is counted in.
        SCHEDULER.setParallelism(Math.clamp(wanted, 1, MOST));
    }
}
