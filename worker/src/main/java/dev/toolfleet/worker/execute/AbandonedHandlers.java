package dev.toolfleet.worker.execute;

import java.time.Duration;

import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.telemetry.LogKeys;
import dev.toolfleet.worker.telemetry.Meters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Handlers that ignored their interrupt and still run (DESIGN 4.8). Each may burn the carrier thread that it sits on, so
/// each gives the scheduler of virtual threads one more: enough endless loops would otherwise stop every other call of
/// the worker. Thread-safe.
public final class AbandonedHandlers {
    private static final Logger LOG = LoggerFactory.getLogger(AbandonedHandlers.class);

    private final Meters meters;
    private int running;

    /// None so far. From the beginning carriers are watched: a handler that spins is abandoned only after its deadline.
    public AbandonedHandlers(Meters meters) {
        this.meters = meters;
        Carriers.watch();
    }

    /// How many still run.
    public synchronized int running() {
        return running;
    }

    /// A handler goes on, or a middleware, although its call has ended.
    ///
    /// @param age how long it has run
    public void abandoned(ToolCall call, Duration age) {
        meters.handlerAbandoned();
        LOG.atWarn().addKeyValue(LogKeys.TOOL, call.name()).addKeyValue(LogKeys.CALL_ID, call.id())
                .addKeyValue(LogKeys.INSTANCE, call.instanceKey())
                .addKeyValue(LogKeys.MILLIS, age.toMillis()).addKeyValue(LogKeys.COUNT, add())
                .log("handler ignores its interrupt, its lane goes on without it");
    }

    private synchronized int add() {
        Carriers.add();
        return ++running;
    }

    /// It has ended.
    ///
    /// @param age how long it ran
    public void ended(ToolCall call, Duration age) {
        meters.handlerLate();
        LOG.atWarn().addKeyValue(LogKeys.TOOL, call.name()).addKeyValue(LogKeys.CALL_ID, call.id())
                .addKeyValue(LogKeys.INSTANCE, call.instanceKey())
                .addKeyValue(LogKeys.MILLIS, age.toMillis()).addKeyValue(LogKeys.COUNT, remove())
                .log("abandoned handler has ended, its late result is discarded");
    }

    private synchronized int remove() {
        running--;
        Carriers.remove();
        return running;
    }
}
