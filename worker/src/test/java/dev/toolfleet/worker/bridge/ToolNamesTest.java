package dev.toolfleet.worker.bridge;

import dev.toolfleet.bundle.ToolName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ToolNamesTest {
    @Test
    void aNameThatModelsCanCallStays() {
        assertThat(ToolNames.of("git-hub", "create_issue")).isEqualTo("git-hub__create_issue");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "x__y", "_x", "x_", "__", "", "\u00e4", "a b/c",
            "1234567890123456789012345678901234567890"
                    + "12345678901234567890"})
    void anyOtherNameBecomesOneThatTheyCan(String tool) {
        String server = "s".repeat(BridgeConfig.LONGEST_NAME);
        String name = ToolNames.of(server, tool);

        assertThat(name).hasSizeLessThanOrEqualTo(ToolName.PROVIDER_LIMIT).startsWith(server + "__");
        assertThat(ToolName.parse(name)).isPresent();
        assertThat(ToolNames.of(server, tool)).isEqualTo(name);
        assertThat(ToolNames.of(server, tool + "!")).isNotEqualTo(name);
    }
}
