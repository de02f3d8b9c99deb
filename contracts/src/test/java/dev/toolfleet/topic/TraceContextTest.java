package dev.toolfleet.topic;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import dev.toolfleet.wire.CallOrigin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TraceContextTest {
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @Test
    void itNamesTraceAndSpanAndStandsInTwoHeaders() {
        TraceContext context = new TraceContext(PARENT, "a=1,b=2");
        Map<String, String> headers = new HashMap<>();
        TraceContext.put(context, headers);
        TraceContext.put(null, headers);

        assertThat(context.traceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(context.spanId()).isEqualTo("b7ad6b7169203331");
        assertThat(headers).isEqualTo(Map.of("traceparent", PARENT, "tracestate", "a=1,b=2"));
        assertThat(TraceContext.of(headers.get("traceparent"), headers.get("tracestate"))).isEqualTo(context);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a=\u00e9", "a=1\nb=2"})
    void aStateThatIsNoneIsLeftOut(String state) {
        assertThat(TraceContext.of(PARENT, state)).isEqualTo(new TraceContext(PARENT, null));
    }

    @Test
    void aStateIsBounded() {
        String most = "a=" + "x".repeat(TraceContext.MAX_TRACESTATE - 2);

        assertThat(TraceContext.of(PARENT, most)).isEqualTo(new TraceContext(PARENT, most));
        assertThat(TraceContext.of(PARENT, most + "x")).isEqualTo(new TraceContext(PARENT, null));
    }

    @Test
    void withoutATraceThereIsNoContext() {
        assertThat(TraceContext.of("00-nothing", "a=1")).isNull();
        assertThat(TraceContext.of(null, "a=1")).isNull();
        assertThatThrownBy(() -> new TraceContext("00-nothing", null)).hasMessageContaining("00-nothing");
    }

    @Test
    void aPendingCallsEndGoesOnWithWhatWasKept() {
        CallOrigin origin = new CallOrigin("sha256:0", 1, null, Instant.EPOCH, PARENT, "a=1");

        assertThat(TraceContext.of(origin)).isEqualTo(new TraceContext(PARENT, "a=1"));
        assertThat(TraceContext.of((CallOrigin) null)).isNull();
    }
}
