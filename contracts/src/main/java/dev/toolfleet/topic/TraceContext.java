package dev.toolfleet.topic;

import java.util.Map;

import dev.toolfleet.wire.CallOrigin;
import org.jspecify.annotations.Nullable;

/// W3C trace context in the headers of records and in the fleet's data of pending calls.
///
/// @param traceparent well formed, as [TraceParent] reads it
/// @param tracestate the state of tracing systems beside it; null for none
public record TraceContext(String traceparent, @Nullable String tracestate) {
    /// The longest trace state that is passed on, the least that the W3C recommendation requires. A longer one is
    /// dropped: it would be copied into every record of its call.
    public static final int MAX_TRACESTATE = 512;

    /// Checks that it names a trace.
    public TraceContext {
        if (TraceParent.parse(traceparent).isEmpty())
            throw new IllegalArgumentException("not a traceparent: " + traceparent);
    }

    /// Reads the context of two headers; null when the first is missing or malformed, since a bad trace must not cost a
    /// call. A state that is too long or has forbidden characters is left out.
    public static @Nullable TraceContext of(@Nullable String traceparent, @Nullable String tracestate) {
        if (traceparent == null || TraceParent.parse(traceparent).isEmpty())
            return null;
        return new TraceContext(traceparent, isState(tracestate) ? tracestate : null);
    }

    /// Returns the context for the end of a pending call; null for none.
    public static @Nullable TraceContext of(@Nullable CallOrigin origin) {
        return origin == null ? null : of(origin.traceparent(), origin.tracestate());
    }

    private static boolean isState(@Nullable String state) {
        return state != null && !state.isBlank() && state.length() <= MAX_TRACESTATE
                && state.chars().allMatch(c -> (c >= 0x20 && c <= 0x7e) || c == '\t');
    }

    /// Returns 32 hex digits.
    public String traceId() {
        return traceparent.substring(3, 35);
    }

    /// Returns the span of the context's carrier: 16 hex digits.
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
