package dev.toolfleet.worker.telemetry;

import java.util.HashMap;
import java.util.Map;

import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// What every log line that a tool or a middleware writes on its call's thread names beside its own keys. For the thread
/// that made it, until it is closed; then what was there before is there again. The fleet's own lines name their call
/// themselves, so a call for which no code of others runs pays nothing.
public final class CallKeys implements AutoCloseable {
    /// Leaves lines as they are.
    public static final CallKeys NONE = new CallKeys(false, null);

    private final boolean put;
    private final @Nullable Map<String, String> before;

    private CallKeys(boolean put, @Nullable Map<String, String> before) {
        this.put = put;
        this.before = before;
    }

    /// From here on lines name this call. All keys are put at once: a map for each key would be copied.
    ///
    /// @param context what came with the call, or what this worker traces; null for none
    /// @param spanId the span that runs, where this worker traces; else null
    public static CallKeys of(ToolCall call, @Nullable TraceContext context, @Nullable String spanId) {
        Map<String, String> before = MDC.getCopyOfContextMap();
        Map<String, String> keys = before == null ? HashMap.newHashMap(5) : new HashMap<>(before);
        keys.put(LogKeys.CALL_ID, call.id());
        keys.put(LogKeys.INSTANCE, call.instanceKey());
        keys.put(LogKeys.TOOL, call.name());
        if (context != null)
            keys.put(LogKeys.TRACE_ID, context.traceId());
        if (spanId != null)
            keys.put(LogKeys.SPAN_ID, spanId);
        MDC.setContextMap(keys);
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
