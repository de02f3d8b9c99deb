package dev.toolfleet.bundle;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ToolNameTest {
    @Test
    void aNameSplitsAtTheSeparator() {
        assertThat(ToolName.parse("file-system__read_all")).contains(new ToolName("file-system", "read_all"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "bash", "__exec", "bash__", "a__b__c", "a___b", "a_b", "a__b_", "_a__b", "a b__c",
            "a.b__c", "a__", "____"})
    void whatSplitsOtherwiseIsNoName(String name) {
        assertThat(ToolName.parse(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "_a", "a_", "a__b", "a.b", "한글"})
    void aPartThatCannotBeUsedIsRefused(String part) {
        assertThatThrownBy(() -> new ToolName(part, "exec")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + part + "'");
    }
}
