package dev.toolfleet.topic;

import java.util.Map;

import dev.toolfleet.wire.CallOrigin;
import org.jspecify.annotations.Nullable;

/// A W3C trace context as it travels in the headers of records and in what is kept of pending calls.
///
/// @param traceparent well formed, as [TraceParent] reads it
/// @param tracestate what tracing systems keep beside it; null for nothing
public record TraceContext(String traceparent, @Nullable String tracestate) {
    /// The longest trace state that travels on, as the W3C recommendation asks at least. A longer one is dropped: it is
    /// copied into every record of its call.
    public static final int MAX_TRACESTATE = 512;

    /// Checks that it names a trace.
    public TraceContext {
        if (TraceParent.parse(traceparent).isEmpty())
            throw new IllegalArgumentException("not a traceparent: " + traceparent);
    }

    /// The context in two headers; null when the first is missing or not well formed, since a bad trace must not cost a
    /// call. A state that is too long or has other characters than the recommendation allows is left out.
    public static @Nullable TraceContext of(@Nullable String traceparent, @Nullable String tracestate) {
        if (traceparent == null || TraceParent.parse(traceparent).isEmpty())
            return null;
        return new TraceContext(traceparent, isState(tracestate) ? tracestate : null);
    }

    /// What a pending call's end goes on with; null for nothing.
    public static @Nullable TraceContext of(@Nullable CallOrigin origin) {
        return origin == null ? null : of(origin.traceparent(), origin.tracestate());
    }

    private static boolean isState(@Nullable String state) {
        return state != null && !state.isBlank() && state.length() <= MAX_TRACESTATE
                && state.chars().allMatch(c -> (c >= 0x20 && c <= 0x7e) || c == '\t');
    }

    /// 32 hex digits.
    public String traceId() {
        return traceparent.substring(3, 35);
    }

    /// The span that whatever carries the context belongs to: 16 hex digits.
    public String spanId() {
        return traceparent.substring(36, 52);
    }

    /// Adds the headers that carry a context.
    ///
    /// @param context null for none
    public static void put(@Nullable TraceContext context, Map<String, String> headers) {
        if (context == null)
            return;
        headers.put(WireHeaders.TRACEPARENT, context.traceparent());
        if (context.tracestate() != null)
            headers.put(WireHeaders.TRACESTATE, context.tracestate());
    }
}
