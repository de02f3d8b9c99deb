package dev.toolfleet.wire;

import java.time.Instant;

import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CancelCallTest {
    private static final ToolCall CALL = ToolCall.of("call_0", "bash__exec", Json.MAPPER.createObjectNode(), "i")
            .inStep("coder", "t1", "s1", 0);

    @Test
    void aStepMeansItsCallsWheneverTheyCome() {
        assertThat(cancel(null, "s1", null).means(CALL, false)).isTrue();
        assertThat(cancel("call_0", "s1", null).means(CALL, false)).isTrue();
        assertThat(cancel("call_1", "s1", null).means(CALL, true)).isFalse();
        assertThat(cancel(null, "s2", null).means(CALL, true)).isFalse();
    }

    // Models call their first call "call_0" in every step.
    @Test
    void aBareIdMeansOnlyCallsThatWereWrittenBefore() {
        assertThat(cancel("call_0", null, null).means(CALL, true)).isTrue();
        assertThat(cancel("call_0", null, null).means(CALL, false)).isFalse();
    }

    @Test
    void whatNamesNoCallMeansNone() {
        assertThat(cancel(null, null, null).means(CALL, true)).isFalse();
    }

    @Test
    void aHandleMeansTheCallThatWaitsForIt() {
        OpenHandle open = new OpenHandle("id", "sha256:0", "h-1", 4, "i", "call_0", "coder", "t1", "s1", Instant.EPOCH);

        assertThat(cancel(null, null, "h-1").means(open, false)).isTrue();
        assertThat(cancel(null, null, "h-2").means(open, true)).isFalse();
        assertThat(cancel("call_1", null, "h-1").means(open, true)).as("every id that is given fits").isFalse();
        assertThat(cancel(null, null, "h-1").means(CALL, true)).as("no handle, not meant").isFalse();
        assertThat(cancel(null, "s1", null).means(open, false)).isTrue();
    }

    @Test
    void anotherInstanceOrAgentIsNotMeant() {
        assertThat(new CancelCall("j", null, "s1", null, null, null, null, null).means(CALL, true)).isFalse();
        assertThat(new CancelCall("i", null, "s1", null, null, null, "tester", null).means(CALL, true)).isFalse();
        assertThat(new CancelCall("i", null, "s1", null, null, null, "coder", "t2").means(CALL, true)).isFalse();
    }

    private static CancelCall cancel(@Nullable String id, @Nullable String step, @Nullable String handle) {
        return new CancelCall("i", id, step, handle, "me", "enough", null, null);
    }
}
