package dev.toolfleet.worker.execute;

import java.util.Map;

import dev.toolfleet.tool.ToolHandler;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import static java.util.Objects.requireNonNull;

/// Registered tools around a test's own handler.
final class Handlers {
    private Handlers() {}

    static CancelReplies nobodyCancels() {
        return new CancelReplies(CancelReplies.Source.NONE, new WorkerMeters(new SimpleMeterRegistry()));
    }

    /// Creates a progress that drops all events.
    static CallProgress silent() {
        ManualTimers timers = new ManualTimers();
        return new CallProgress(progress -> {}, timers.loop(), timers::nanos);
    }

    /// An export that promises nothing.
    static RegisteredTool plain(ToolHandler handler) {
        return tool(handler, false);
    }

    /// An export that may run twice.
    static RegisteredTool idempotent(ToolHandler handler) {
        return tool(handler, true);
    }

    private static RegisteredTool tool(ToolHandler handler, boolean idempotent) {
        return requireNonNull(TestResources.registry(() -> Map.of("run", handler), idempotent)
                .acquire(new ToolRef("acme", "t", "run")));
    }
}
