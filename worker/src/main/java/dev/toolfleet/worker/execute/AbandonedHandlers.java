package dev.toolfleet.worker.execute;

import java.lang.management.ManagementFactory;

import dev.toolfleet.worker.telemetry.LogKeys;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Handlers that ignored their interrupt and still run. Each may burn the carrier thread that it sits on, so each gives
/// the scheduler of virtual threads one more: as many endless loops as there are processors would otherwise stop every
/// other call of the worker.
final class AbandonedHandlers {
    private static final Logger LOG = LoggerFactory.getLogger(AbandonedHandlers.class);

    private final VirtualThreadSchedulerMXBean scheduler = ManagementFactory
            .getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    private int running;

    synchronized void abandoned() {
        running++;
        scheduler.setParallelism(scheduler.getParallelism() + 1);
        LOG.atWarn().addKeyValue(LogKeys.COUNT, running)
                .log("handler ignores its interrupt, its lane goes on without it");
    }

    synchronized void ended() {
        running--;
        scheduler.setParallelism(Math.max(1, scheduler.getParallelism() - 1));
    }
}
