package dev.toolfleet.worker.telemetry;

import java.util.Map;

import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.wire.ToolCall;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;

class CallKeysTest {
    private static final TraceContext TRACE = new TraceContext(
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", null);
    private static final ToolCall CALL = ToolCall.of("c1", "t__x", JsonNodeFactory.instance.objectNode(), "i");

    @BeforeEach
    @AfterEach
    void forget() {
        MDC.clear();
    }

    @Test
    void linesNameTheCallUntilItIsOver() {
        try (CallKeys _ = CallKeys.of(CALL, TRACE, "00000000000000aa")) {
            assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("callId", "c1", "instanceKey", "i", "tool", "t__x",
                    "traceId", TRACE.traceId(), "spanId", "00000000000000aa"));
        }

        assertThat(MDC.get("callId")).isNull();
        assertThat(MDC.get("spanId")).isNull();
    }

    @Test
    void aHandlersKeysGoAndThoseOfItsLayersAreThereAgain() {
        MDC.put("mine", "1");
        try (CallKeys _ = CallKeys.of(CALL, TRACE, "00000000000000aa")) {
            try (CallKeys _ = CallKeys.of(CALL, TRACE, "00000000000000bb")) {
                MDC.put("left", "by a tool");
                assertThat(MDC.get("spanId")).isEqualTo("00000000000000bb");
            }
            assertThat(MDC.get("spanId")).isEqualTo("00000000000000aa");
            assertThat(MDC.get("left")).isNull();
        }

        assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of("mine", "1"));
    }

    @Test
    void withoutATraceThereIsNoKeyOfOne() {
        try (CallKeys _ = CallKeys.of(CALL, null, null)) {
            assertThat(MDC.getCopyOfContextMap()).containsOnlyKeys("callId", "instanceKey", "tool");
        }
    }
}
