package dev.toolfleet.bundle;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SchemaPatternsTest {
    // java.util.regex needs longer than the universe has.
    @Test
    void aPatternTakesTimeInProportionToTheText() {
        assertThat(matches("^(.*,){20}P", "1,".repeat(45))).isFalse();
        assertThat(matches("^(.*,){20}P", "1,".repeat(100_000) + "P")).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"^[a-z]+$ | abc | ab1", "b | abc | ac", "^\\u00e9$ | é | e",
            "^\\uD83D\\uDE00$ | 😀 | x", "^\\u{1F600}$ | 😀 | x", "^[\\u4e00-\\u9fa5]+$ | 漢字 | x", "^a[^]c$ | abc | ac",
            "^\\p{Letter}$ | é | 1", "^\\p{Script=Greek}$ | α | a", "^(?<year>\\d{4})$ | 2026 | 26",
            "^\\/[\\w-.]+$ | /a-b. | a",
            "^a{0,1000}$ | aa | b", "^\\\\u$ | \\u | u", "^[(]\\)$ | () | ("})
    void whatEcmaAndRe2BothCanDoIsRead(String pattern, String fits, String doesNot) {
        assertThat(matches(pattern, fits)).isTrue();
        assertThat(matches(pattern, doesNot)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"^(?=a)b", "(?<!a)b", "(a)\\1", "a{1,1001}", "("})
    void whatRe2CannotReadIsRefusedByName(String pattern) {
        assertThatThrownBy(() -> SchemaPatterns.RE2.getRegularExpression(pattern))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'" + pattern + "'");
    }

    // Compiled, it would fill the heap.
    @ParameterizedTest
    @ValueSource(strings = {"((a{100}){100}){100}", "(((((a{30}){30}){30}){30}){30})", "([ab]{1000}){900}",
            "[)](a{999}){999}"})
    void aPatternThatGrowsTooLargeIsRefused(String pattern) {
        assertThatThrownBy(() -> SchemaPatterns.RE2.getRegularExpression(pattern)).hasMessageContaining("too large");
    }

    @Test
    void aMatchEndsSoonAfterItsThreadWasInterrupted() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> matches("(a|aa)*b", "a".repeat(10_000)))
                    .isInstanceOf(java.util.concurrent.CancellationException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static boolean matches(String pattern, String text) {
        return SchemaPatterns.RE2.getRegularExpression(pattern).matches(text);
    }
}
