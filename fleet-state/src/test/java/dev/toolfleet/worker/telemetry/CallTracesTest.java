package dev.toolfleet.worker.telemetry;

import java.util.List;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class CallTracesTest {
    private static final TraceContext CALLER = new TraceContext(
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "vendor=1");
    private static final ToolCall CALL = ToolCall.of("c1", "t__x", JsonNodeFactory.instance.objectNode(), "i")
            .inStep("coder", "turn", "s1", 0);

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .setSampler(Sampler.parentBased(Sampler.alwaysOff())).addSpanProcessor(SimpleSpanProcessor.create(spans))
            .build();
    private final CallTraces traces = CallTraces.of(provider.get("test"));

    @AfterEach
    void close() {
        provider.close();
    }

    private CallTrace begin(@Nullable TraceContext incoming) {
        return traces.begin(CALL, incoming, false, 3, 42, 17);
    }

    @Test
    void aCallsSpanGoesOnWithTheCallersAndTellsWhereItRan() {
        CallTrace trace = begin(CALLER);
        trace.passed(TraceNames.JUDGED);
        trace.answers(ResultStatus.OK, null);
        trace.ended();

        SpanData span = spans.getFinishedSpanItems().getFirst();
        assertThat(span.getName()).isEqualTo("tool.call");
        assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(span.getTraceId()).isEqualTo(CALLER.traceId());
        assertThat(span.getParentSpanId()).isEqualTo(CALLER.spanId());
        assertThat(span.getAttributes().get(TraceNames.TOOL)).isEqualTo("t__x");
        assertThat(span.getAttributes().get(TraceNames.INSTANCE)).isEqualTo("i");
        assertThat(span.getAttributes().get(TraceNames.AGENT)).isEqualTo("coder");
        assertThat(span.getAttributes().get(TraceNames.PARTITION)).isEqualTo("3");
        assertThat(span.getAttributes().get(TraceNames.OFFSET)).isEqualTo(42);
        assertThat(span.getAttributes().get(TraceNames.QUEUED)).isEqualTo(17);
        assertThat(span.getAttributes().get(TraceNames.STATUS)).isEqualTo("ok");
        assertThat(span.getEvents()).extracting(event -> event.getName()).containsExactly("catalog.judged");
    }

    @Test
    void whatDerivesCarriesTheCallsSpanAndTheCallersState() {
        CallTrace trace = begin(CALLER);

        TraceContext derived = requireNonNull(trace.context(CALLER));
        trace.ended();

        assertThat(derived.traceId()).isEqualTo(CALLER.traceId());
        assertThat(derived.spanId()).isEqualTo(spans.getFinishedSpanItems().getFirst().getSpanId());
        assertThat(derived.tracestate()).isEqualTo("vendor=1");
        assertThat(spans.getFinishedSpanItems().getFirst().getAttributes().get(TraceNames.STATUS)).isEqualTo("left");
    }

    @Test
    void aHandlersSpanIsCurrentWhileItRunsAndNamesTheCodeAlone() {
        CallTrace trace = begin(CALLER);
        String inside;
        try (CallTrace.Handler handler = trace.handler(2)) {
            inside = Span.current().getSpanContext().getSpanId();
            handler.replied(new ToolReply.Failed(ToolError.of(ErrorCode.E_TOOL_TIMEOUT, "with a secret")));
        }
        trace.answers(ResultStatus.ERROR, "E_TOOL_TIMEOUT");
        trace.ended();

        List<SpanData> all = spans.getFinishedSpanItems();
        assertThat(all).extracting(SpanData::getName).containsExactly("tool.handler", "tool.call");
        assertThat(all.getFirst().getSpanId()).isEqualTo(inside);
        assertThat(all.getFirst().getParentSpanId()).isEqualTo(all.getLast().getSpanId());
        assertThat(all.getFirst().getAttributes().get(TraceNames.ATTEMPT)).isEqualTo(2);
        assertThat(all).allSatisfy(span -> {
            assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
            assertThat(span.getAttributes().get(TraceNames.CODE)).isEqualTo("E_TOOL_TIMEOUT");
            assertThat(span.toString()).doesNotContain("secret");
        });
        assertThat(Span.current().getSpanContext().isValid()).isFalse();
    }

    @Test
    void theCallerDecidesWhatIsSampledAndTheWorkerWhereThereIsNone() {
        CallTrace trace = begin(null);
        TraceContext derived = requireNonNull(trace.context(null));
        trace.ended();

        assertThat(spans.getFinishedSpanItems()).isEmpty();
        // The other bits say how the trace's id was made.
        assertThat(Integer.parseInt(derived.traceparent().substring(53), 16) & 1).isZero();
    }

    @Test
    void withoutTracingTheCallersContextTravelsOnAsItIs() {
        CallTrace trace = CallTraces.OFF.begin(CALL, CALLER, false, 3, 42, 17);

        assertThat(trace).isSameAs(CallTrace.OFF);
        assertThat(trace.context(CALLER)).isSameAs(CALLER);
        assertThat(trace.handler(1)).isSameAs(CallTrace.OFF);
    }
}
