package dev.toolfleet.session.tokens;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TokenEstimatorTest {
    @ParameterizedTest
    @CsvSource({"'',0", "abcd,1", "abcde,2", "한국어,3", "日本語,3", "한국 abc,3"})
    void latinCountsByFourAndCjkByOne(String text, long tokens) {
        assertThat(TokenCounter.STANDARD.text(text)).isEqualTo(tokens);
    }

    @Test
    void calibrationMultipliesTheEstimate() {
        assertThat(new TokenCounter(TokenEstimator.STANDARD.calibrated(1.5)).text("x".repeat(400))).isEqualTo(150);
        assertThatIllegalArgumentException().isThrownBy(() -> TokenEstimator.STANDARD.calibrated(0));
    }
}
