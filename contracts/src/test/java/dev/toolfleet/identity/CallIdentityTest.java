package dev.toolfleet.identity;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ToolCall;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class CallIdentityTest {
    private static final ToolCall CALL = ToolCall.of("call_0", "bash__exec", json("{}"), "telegram:123");

    @Test
    void aCallInAStepIsIdentifiedByWhereItStands() {
        ToolCall call = CALL.inStep("coder", "t-9", "t-9-step-2", 2);

        assertThat(CallIdentity.of(call, 3, 4711).text())
                .isEqualTo("[\"telegram:123\",\"coder\",\"t-9\",\"t-9-step-2\",\"call_0\"]");
        assertThat(CallIdentity.of(call, 3, 4711)).isEqualTo(CallIdentity.of(call, 5, 1));
    }

    @Test
    void aCallWithoutTurnOrStepIsIdentifiedByItsRecord() {
        assertThat(CallIdentity.of(CALL, 3, 4711).text()).isEqualTo("[\"@record\",3,4711]");
        assertThat(CallIdentity.of(CALL, 3, 4711)).isNotEqualTo(CallIdentity.of(CALL, 3, 4712));
    }

    @Test
    void anInstanceNamedLikeTheMarkerIsNotMistakenForARecord() {
        ToolCall call = ToolCall.of("4711", "x", json("{}"), "@record").inStep("3", "t", "s", 0);

        assertThat(CallIdentity.of(call, 3, 4711)).isNotEqualTo(CallIdentity.of(CALL, 3, 4711));
    }

    @Test
    void aMissingAgentIsNotAnAgentNamedNull() {
        ToolCall named = CALL.inStep("null", "t", "s", 0);
        ToolCall unnamed = new ToolCall(named.id(), named.name(), named.args(), named.instanceKey(), null, "t", "s",
                0, null, null, null, null, null, null, null);

        assertThat(CallIdentity.of(named, 0, 0)).isNotEqualTo(CallIdentity.of(unnamed, 0, 0));
    }

    @Test
    void aGrantMakesAnotherIdentity() {
        CallIdentity identity = CallIdentity.of(CALL, 0, 0);

        assertThat(identity.resumedBy("h-1")).isNotEqualTo(identity).isNotEqualTo(identity.resumedBy("h-2"));
    }

    @Test
    void theFingerprintCoversNameAndArgumentsAndNothingElse() {
        String fingerprint = Fingerprint.of("bash__exec", json("{\"a\": 1, \"b\": [1.0]}"));

        assertThat(fingerprint).matches("sha256:[0-9a-f]{64}")
                .isEqualTo(Fingerprint.of("bash__exec", json("{\"b\":[1],\"a\":1}")))
                .isNotEqualTo(Fingerprint.of("bash__script", json("{\"b\":[1],\"a\":1}")))
                .isNotEqualTo(Fingerprint.of("bash__exec", json("{\"b\":[\"1\"],\"a\":1}")));
    }

    /// Stored journals and grants hold fingerprints, so their computation never changes.
    @Test
    void theFingerprintOfAnOldCallIsTheSameForever() {
        assertThat(Fingerprint.of("bash__exec", json("{\"command\":\"ls\"}")))
                .isEqualTo("sha256:31303f27c6c15eb61a10b22a9ca2760c4109b9862715df8b72a6f51d02dbf921");
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text);
    }
}
