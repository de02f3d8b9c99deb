package dev.toolfleet.worker.telemetry;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.ResultStatus;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;

/// Span of one call. Error spans name the code and nothing else: messages may quote the tool's arguments.
final class CallSpan implements CallTrace {
    private final Tracer tracer;
    private final Span span;
    private final Context context;
    private final @Nullable TraceContext derived;
    private volatile @Nullable ResultStatus status;
    private volatile @Nullable String code;

    CallSpan(Tracer tracer, Span span, Context parent) {
        this.tracer = tracer;
        this.span = span;
        this.context = parent.with(span);
        Map<String, String> headers = HashMap.newHashMap(2);
        W3CTraceContextPropagator.getInstance().inject(context, headers, (into, key, value) -> {
            if (into != null)
                into.put(key, value);
        });
        this.derived = TraceContext.of(headers.get(WireHeaders.TRACEPARENT), headers.get(WireHeaders.TRACESTATE));
    }

    @Override
    public @Nullable TraceContext context(@Nullable TraceContext incoming) {
        return derived == null ? incoming : derived;
    }

    @Override
    public String spanId() {
        return span.getSpanContext().getSpanId();
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // The caller closes it.
    public Scope current() {
        return context.makeCurrent();
    }

    @Override
    public void passed(String point) {
        span.addEvent(point);
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // Closed with the returned object.
    public Handler handler(int attempt) {
        Span started = tracer.spanBuilder(TraceNames.HANDLER).setParent(context)
                .setAttribute(TraceNames.ATTEMPT, (long) attempt).startSpan();
        return new Started(started, context.with(started).makeCurrent());
    }

    @Override
    public void answers(ResultStatus status, @Nullable String code) {
        this.status = status;
        this.code = code;
    }

    @Override
    public void ended() {
        ResultStatus said = status;
        span.setAttribute(TraceNames.STATUS, said == null ? TraceNames.LEFT : said.name().toLowerCase(Locale.ROOT));
        failed(span, code);
        span.end();
    }

    private static void failed(Span of, @Nullable String code) {
        if (code == null)
            return;
        of.setAttribute(TraceNames.CODE, code);
        of.setStatus(StatusCode.ERROR, code);
    }

    /// Span of a handler, the current one of its thread.
    private record Started(Span span, Scope scope) implements Handler {
        @Override
        public String spanId() {
            return span.getSpanContext().getSpanId();
        }

        @Override
        public void replied(ToolReply reply) {
            if (reply instanceof ToolReply.Failed(var error))
                failed(span, error.code());
        }

        @Override
        public void close() {
            scope.close();
            span.end();
        }
    }
}
