package dev.toolfleet.error;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ErrorTextTest {
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz";

    @ParameterizedTest
    @CsvSource({"26, abcdefghijklmnopqrstuvwxyz", "27, abcdefghijklmnopqrstuvwxyz", "25, abcdefghij... (truncated)",
            "17, ab... (truncated)", "16, a... (truncated)", "15, abcdefghijklmno", "14, abcdefghijklmn", "1, a",
            "0, ''", "-3, ''"})
    void theLimitCountsTheSuffixWhichTinyLimitsDoWithout(int limit, String text) {
        assertThat(ErrorText.limit(ALPHABET, limit)).isEqualTo(text);
    }

    @Test
    void theDefaultIsAThousandUnits() {
        String long1 = "x".repeat(1001);

        assertThat(ErrorText.limit("x".repeat(1000), ErrorText.DEFAULT_LIMIT)).isEqualTo("x".repeat(1000));
        assertThat(ErrorText.limit(long1, ErrorText.DEFAULT_LIMIT)).isEqualTo("x".repeat(985) + "... (truncated)");
    }

    @Test
    void aSurrogatePairIsNeverSplit() {
        assertThat(ErrorText.limit("ab😀defghijklmnopqrstuvwxyz", 18)).isEqualTo("ab... (truncated)");
        assertThat(ErrorText.limit("ab😀defghijklmnopqrstuvwxyz", 19)).isEqualTo("ab😀... (truncated)");
        assertThat(ErrorText.limit("a😀😀", 2)).isEqualTo("a");
        assertThat(ErrorText.limit("a😀😀", 3)).isEqualTo("a😀");
    }

    @Test
    void aHalfThatWasBrokenBeforeIsLeftAlone() {
        assertThat(ErrorText.limit("a\ud83dbcd", 2)).isEqualTo("a\ud83d");
    }

    @Test
    void anEmptyMessageStaysEmpty() {
        assertThat(ErrorText.limit("", 0)).isEmpty();
    }
}
