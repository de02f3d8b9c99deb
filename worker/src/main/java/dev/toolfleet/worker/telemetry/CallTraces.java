package dev.toolfleet.worker.telemetry;

import java.util.List;

import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.ToolCall;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import org.jspecify.annotations.Nullable;

/// Names of spans and of their attributes, and the beginning of calls' spans; the names are public API for searches in
/// traces. Instances and calls are attributes here although they are no tags of metrics: each span is stored by itself,
/// and many values cost no more than few. Thread-safe.
public final class CallTraces {
    /// The span of a call that was read from `tool.call`.
    public static final String CALL = "tool.call";
    /// The span of a record of `tool.call.resumed`: an approved call, or the end of a pending one.
    public static final String RESUMED = "tool.call.resumed";
    /// One start of a handler, inside of a call's span.
    public static final String HANDLER = "tool.handler";

    /// The tool as the caller named it.
    public static final AttributeKey<String> TOOL = AttributeKey.stringKey("toolfleet.tool");
    /// The model's id of the call.
    public static final AttributeKey<String> CALL_ID = AttributeKey.stringKey("toolfleet.call.id");
    /// The instance.
    public static final AttributeKey<String> INSTANCE = AttributeKey.stringKey("toolfleet.instance");
    /// The agent, where the call names one.
    public static final AttributeKey<String> AGENT = AttributeKey.stringKey("toolfleet.agent");
    /// The number of the handler's start, from 1.
    public static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("toolfleet.attempt");
    /// The status of the call at its end here: `ok`, `pending`, `error`, or [#LEFT].
    public static final AttributeKey<String> STATUS = AttributeKey.stringKey("toolfleet.status");
    /// The code of its error.
    public static final AttributeKey<String> CODE = AttributeKey.stringKey("toolfleet.code");
    /// The time from its record's append to its start, in milliseconds.
    public static final AttributeKey<Long> QUEUED = AttributeKey.longKey("toolfleet.queue.ms");
    /// OpenTelemetry's name for the kind of broker.
    public static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
    /// OpenTelemetry's name for the partition.
    public static final AttributeKey<String> PARTITION = AttributeKey.stringKey("messaging.destination.partition.id");
    /// OpenTelemetry's name for the offset.
    public static final AttributeKey<Long> OFFSET = AttributeKey.longKey("messaging.kafka.offset");

    /// The status of a call that ended without a result of its own here.
    public static final String LEFT = "left";
    /// An event: the call's tool was looked up in the step's catalog.
    public static final String JUDGED = "catalog.judged";
    /// An event: the call waited for its tool's limits, and its turn has come.
    public static final String ADMITTED = "limits.admitted";

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
        Span span = tracer.spanBuilder(resumed ? RESUMED : CALL).setSpanKind(SpanKind.CONSUMER).setParent(parent)
                .setAttribute(TOOL, call.name()).setAttribute(CALL_ID, call.id())
                .setAttribute(INSTANCE, call.instanceKey()).setAttribute(SYSTEM, "kafka")
                .setAttribute(PARTITION, Integer.toString(partition)).setAttribute(OFFSET, offset).startSpan();
        if (call.agentName() != null)
            span.setAttribute(AGENT, call.agentName());
        if (queuedMillis >= 0)
            span.setAttribute(QUEUED, queuedMillis);
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
