package dev.toolfleet.worker.telemetry;

import java.util.List;

import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.ToolCall;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import org.jspecify.annotations.Nullable;

/// Beginnings of the spans of calls. Thread-safe.
public final class CallTraces {
    /// Traces nothing.
    public static final CallTraces OFF = new CallTraces(null);

    private static final TextMapGetter<TraceContext> GETTER = new Headers();

    private final @Nullable Tracer tracer;

    private CallTraces(@Nullable Tracer tracer) {
        this.tracer = tracer;
    }

    /// Creates spans with `tracer`.
    public static CallTraces of(Tracer tracer) {
        return new CallTraces(tracer);
    }

    /// Begins the span of a call. Takes plain values, so that no object is made of them when nothing is traced.
    ///
    /// @param incoming the parent span; null begins a trace
    /// @param offset of the record, on `tool.call` or on `tool.call.resumed`
    /// @param queuedMillis since the record was appended; negative if that is not known
    public CallTrace begin(ToolCall call, @Nullable TraceContext incoming, boolean resumed, int partition, long offset,
            long queuedMillis) {
        if (tracer == null)
            return CallTrace.OFF;
        Context parent = W3CTraceContextPropagator.getInstance().extract(Context.root(), incoming, GETTER);
        Span span = tracer.spanBuilder(resumed ? TraceNames.RESUMED : TraceNames.CALL).setSpanKind(SpanKind.CONSUMER)
                .setParent(parent)
                .setAttribute(TraceNames.TOOL, call.name()).setAttribute(TraceNames.CALL_ID, call.id())
                .setAttribute(TraceNames.INSTANCE, call.instanceKey()).setAttribute(TraceNames.SYSTEM, "kafka")
                .setAttribute(TraceNames.PARTITION, Integer.toString(partition)).setAttribute(TraceNames.OFFSET, offset)
                .startSpan();
        if (call.agentName() != null)
            span.setAttribute(TraceNames.AGENT, call.agentName());
        if (queuedMillis >= 0)
            span.setAttribute(TraceNames.QUEUED, queuedMillis);
        return new CallSpan(tracer, span, parent);
    }

    private static final class Headers implements TextMapGetter<TraceContext> {
        @Override
        public Iterable<String> keys(TraceContext carrier) {
            return List.of(WireHeaders.TRACEPARENT, WireHeaders.TRACESTATE);
        }

        @Override
        public @Nullable String get(@Nullable TraceContext carrier, String key) {
            if (carrier == null)
                return null;
            return switch (key) {
                case WireHeaders.TRACEPARENT -> carrier.traceparent();
                case WireHeaders.TRACESTATE -> carrier.tracestate();
                default -> null;
            };
        }
    }
}
