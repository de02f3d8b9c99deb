package dev.toolfleet.wire;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DecisionTest {
    @Test
    void whatIsKeptIsCutAndBlankWordsAreNone() {
        Decision longer = Decision.reject("h-1", "b".repeat(1_000), " because  ").kept();

        assertThat(longer.by()).hasSize(Decision.MAX_BY).endsWith("... (truncated)");
        assertThat(longer.reason()).isEqualTo("because");
        assertThat(Decision.approve("h-1", " ", "").kept()).isEqualTo(Decision.approve("h-1", null, null));
    }

    @Test
    void aVerdictIsAWord() {
        assertThat(Decision.Verdict.APPROVE.text()).isEqualTo("approve");
        assertThat(WireCodec.of(Decision.class).write(Decision.reject("h", null, null)))
                .asString().isEqualTo("{\"handle\":\"h\",\"decision\":\"reject\"}");
    }
}
