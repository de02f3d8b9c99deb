package dev.toolfleet.worker.execute;

import java.time.Duration;

import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.telemetry.LogKeys;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Handlers that ignored their interrupt and still run. Thread-safe.
///
/// **Why.** Such a handler may occupy its carrier thread, so each adds one carrier to the scheduler of virtual threads.
/// Otherwise: enough endless loops stop every other call of the worker. See G5 in `docs/guarantees.md`, and
/// `docs/decisions/0046`.
public final class AbandonedHandlers {
    private static final Logger LOG = LoggerFactory.getLogger(AbandonedHandlers.class);

    private final WorkerMeters meters;
    private int running;

    /// Creates an empty set. From now on carriers are watched, because a handler that spins is abandoned only after its
    /// deadline.
    public AbandonedHandlers(WorkerMeters meters) {
        this.meters = meters;
        CarrierThreads.watch();
    }

    /// Number of abandoned handlers that still run.
    public synchronized int running() {
        return running;
    }

    /// Notes a handler or middleware that runs on although its call has ended.
    ///
    /// @param age how long it has run
    public void abandoned(ToolCall call, Duration age) {
        meters.handlerAbandoned();
        LOG.atWarn().addKeyValue(LogKeys.TOOL, call.name()).addKeyValue(LogKeys.CALL_ID, call.id())
                .addKeyValue(LogKeys.INSTANCE, call.instanceKey())
                .addKeyValue(LogKeys.MILLIS, age.toMillis()).addKeyValue(LogKeys.COUNT, add())
                .log("handler ignored its interrupt: its lane goes on without it");
    }

    private synchronized int add() {
        CarrierThreads.add();
        return ++running;
    }

    /// Notes that it has ended.
    ///
    /// @param age how long it ran
    public void ended(ToolCall call, Duration age) {
        meters.handlerLate();
        LOG.atWarn().addKeyValue(LogKeys.TOOL, call.name()).addKeyValue(LogKeys.CALL_ID, call.id())
                .addKeyValue(LogKeys.INSTANCE, call.instanceKey())
                .addKeyValue(LogKeys.MILLIS, age.toMillis()).addKeyValue(LogKeys.COUNT, remove())
                .log("abandoned handler ended: its late result was discarded");
    }

    private synchronized int remove() {
        running--;
        CarrierThreads.remove();
        return running;
    }
}
