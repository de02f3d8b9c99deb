package dev.toolfleet.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ToolErrorTest {
    @Test
    void boundedErrorFitsAndCanBeEncodedWhateverAHandlerPutIntoIt() {
        String huge = "\uD83D" + "x".repeat(3_000_000);

        ToolError bounded = new ToolError(huge, huge, huge, huge, huge).bounded(100);

        assertThat(bounded.message()).hasSize(100).endsWith("... (truncated)");
        assertThat(WireCodec.of(ToolError.class).write(bounded)).hasSizeLessThan(20_000);
    }
}
