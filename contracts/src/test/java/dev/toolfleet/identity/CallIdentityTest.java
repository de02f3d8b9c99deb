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
    void aKeyStandsForTurnStepAndId() {
        CallIdentity named = CallIdentity.of(CALL.inStep("coder", "t-9", "t-9-step-2", 2).named("order-4711"), 3, 4711);
        ToolCall other = ToolCall.of("call_7", "x", json("{}"), "telegram:123").inStep("coder", "t-10", "s", 0);

        assertThat(named.text()).isEqualTo("[\"telegram:123\",\"coder\",\"order-4711\"]");
        assertThat(CallIdentity.of(other.named("order-4711"), 5, 1)).isEqualTo(named);
        assertThat(named.isOfRecord()).isFalse();
    }

    @Test
    void aKeyIsOneOfItsInstanceAndAgentOnly() {
        ToolCall call = CALL.inStep("coder", "t", "s", 0).named("k");
        ToolCall ofAnotherAgent = CALL.inStep("planner", "t", "s", 0).named("k");
        ToolCall ofAnotherInstance = ToolCall.of("call_0", "bash__exec", json("{}"), "telegram:124")
                .inStep("coder", "t", "s", 0).named("k");

        assertThat(CallIdentity.of(call, 0, 0)).isNotEqualTo(CallIdentity.of(ofAnotherAgent, 0, 0))
                .isNotEqualTo(CallIdentity.of(ofAnotherInstance, 0, 0))
                .isNotEqualTo(CallIdentity.of(CALL.named("k"), 0, 0))
                .isNotEqualTo(CallIdentity.of(CALL.inStep("coder", "t", "s", 0), 0, 0));
    }

    @Test
    void aKeyThatLooksLikeAnOffsetIsNotMistakenForARecord() {
        ToolCall call = ToolCall.of("c", "x", json("{}"), "@record").inStep("3", "t", "s", 0).named("4711");

        assertThat(CallIdentity.of(call, 3, 4711)).isNotEqualTo(CallIdentity.ofRecord(3, 4711));
        assertThat(CallIdentity.of(call, 3, 4711).isOfRecord()).isFalse();
    }

    @Test
    void aCallIsNamedByItsKeyOrByTurnAndStep() {
        assertThat(CallIdentity.isNamed(CALL)).isFalse();
        assertThat(CallIdentity.isNamed(CALL.named("k"))).isTrue();
        assertThat(CallIdentity.isNamed(CALL.inStep("coder", "t", "s", 0))).isTrue();
    }

    /// The outcome of a pending call travels with the bare call, and its final result must have the call's identity.
    @Test
    void theBareCallHasTheIdentityOfTheCall() {
        ToolCall call = CALL.inStep("coder", "t", "s", 0).named("k");

        assertThat(CallIdentity.of(call.bare(), 0, 0)).isEqualTo(CallIdentity.of(call, 0, 0));
        assertThat(CallIdentity.of(call.with(json("{}"), null).until(null).forCaller("u", "c"), 0, 0))
                .isEqualTo(CallIdentity.of(call, 0, 0));
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
