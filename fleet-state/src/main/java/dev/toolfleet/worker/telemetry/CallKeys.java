package dev.toolfleet.worker.telemetry;

import java.util.Map;

import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// Keys that every log line of a tool or a middleware gets on its call's thread, in addition to its own. For the thread
/// that made it, until it is closed; closing restores the former keys. The fleet's own lines name their call
/// themselves, so a call that runs only the fleet's code pays nothing.
public final class CallKeys implements AutoCloseable {
    /// Leaves lines unchanged.
    public static final CallKeys NONE = new CallKeys(false, null);

    private final boolean put;
    private final @Nullable Map<String, String> before;

    private CallKeys(boolean put, @Nullable Map<String, String> before) {
        this.put = put;
        this.before = before;
    }

    /// Adds this call to the following lines.
    ///
    /// @param context the caller's context, or that of this worker's trace; null for none
    /// @param spanId the span that runs, where this worker traces; else null
    public static CallKeys of(ToolCall call, @Nullable TraceContext context, @Nullable String spanId) {
        Map<String, String> before = MDC.getCopyOfContextMap();
        MDC.put(LogKeys.CALL_ID, call.id());
        MDC.put(LogKeys.INSTANCE, call.instanceKey());
        MDC.put(LogKeys.TOOL, call.name());
        if (context != null)
            MDC.put(LogKeys.TRACE_ID, context.traceId());
        if (spanId != null)
            MDC.put(LogKeys.SPAN_ID, spanId);
        return new CallKeys(true, before);
    }

    @Override
    public void close() {
        if (!put)
            return;
        if (before == null) {
            MDC.clear();
        } else {
            MDC.setContextMap(before);
        }
    }
}
