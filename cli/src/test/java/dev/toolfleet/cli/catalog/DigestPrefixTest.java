package dev.toolfleet.cli.catalog;

import java.util.List;

import dev.toolfleet.cli.terminal.Failure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DigestPrefixTest {
    private static final List<String> DIGESTS = List.of("sha256:abcdef01", "sha256:abcdef02", "sha256:12345678");

    @ParameterizedTest
    @ValueSource(strings = {"123456", "sha256:12345678", " SHA256:123456 "})
    void theFirstDigitsAreEnough(String written) {
        assertThat(DigestPrefix.of(written).resolve(DIGESTS)).isEqualTo("sha256:12345678");
    }

    @Test
    void digitsThatFitSeveralAreRefusedWithAllOfThem() {
        assertThatExceptionOfType(Failure.class).isThrownBy(() -> DigestPrefix.of("abcdef").resolve(DIGESTS))
                .withMessageContaining("sha256:abcdef01, sha256:abcdef02")
                .satisfies(failure -> assertThat(failure.exitCode()).isEqualTo(2));
    }

    @Test
    void anUnknownDigestSaysWhereToFindOne() {
        assertThatExceptionOfType(Failure.class).isThrownBy(() -> DigestPrefix.of("ffffff").resolve(DIGESTS))
                .withMessageContaining("sha256:ffffff").withMessageContaining("catalog show")
                .satisfies(failure -> assertThat(failure.exitCode()).isEqualTo(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "sha256:", "abc", "abcdeg", "md5:abcdef"})
    void whatIsNoDigestIsRefused(String written) {
        assertThatExceptionOfType(Failure.class).isThrownBy(() -> DigestPrefix.of(written))
                .withMessageContaining("'" + written + "' is no digest");
    }
}
