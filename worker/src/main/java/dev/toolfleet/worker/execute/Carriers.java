package dev.toolfleet.worker.execute;

import java.lang.management.ManagementFactory;

import jdk.management.VirtualThreadSchedulerMXBean;

/// The platform threads on which this JVM's virtual threads run. A virtual thread that computes leaves its carrier to
/// no other until it waits for something. With one carrier for each processor, which is the JVM's choice, as many
/// handlers that compute stop every other call until they end or are given up; among more carriers the operating system
/// shares the processors out.
final class Carriers {
    /// So many handlers may compute at a time, and the other calls go on.
    static final int FEWEST = 32;

    private static final String OPERATORS_CHOICE = "jdk.virtualThreadScheduler.parallelism";
    private static final VirtualThreadSchedulerMXBean SCHEDULER = ManagementFactory
            .getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    /// The JVM's own bound, beyond which it takes no more.
    private static final int MOST = Integer.getInteger("jdk.virtualThreadScheduler.maxPoolSize",
            Math.max(SCHEDULER.getParallelism(), 256));

    private Carriers() {}

    /// Sees to it that there are [#FEWEST], unless the operator has chosen.
    static synchronized void reserve() {
        int now = SCHEDULER.getParallelism();
        if (System.getProperty(OPERATORS_CHOICE) == null && now < FEWEST)
            SCHEDULER.setParallelism(Math.min(FEWEST, MOST));
    }

    /// One more, if there may be.
    static synchronized boolean add() {
        int now = SCHEDULER.getParallelism();
        if (now >= MOST)
            return false;
        SCHEDULER.setParallelism(now + 1);
        return true;
    }

    /// One less.
    static synchronized void remove() {
        SCHEDULER.setParallelism(Math.max(1, SCHEDULER.getParallelism() - 1));
    }
}
