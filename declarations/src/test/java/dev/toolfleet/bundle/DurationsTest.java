package dev.toolfleet.bundle;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({"500ms, PT0.5S", "30s, PT30S", "10m, PT10M", "1h30m, PT1H30M", "2d, PT48H", "PT5M, PT5M",
            "pt5m, PT5M", "999999999999s, PT277777777H46M39S"})
    void peopleWriteThemInTheseForms(String text, String iso) {
        assertThat(Durations.parse(text)).map(Object::toString).contains(iso);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "s", "0s", "-5s", "PT0S", "PT-5M", "5 m", "5m ", "5x", "1.5s", "P", "5m3",
            "9999999999999999d"})
    void anythingElseIsNone(String text) {
        assertThat(Durations.parse(text)).isEmpty();
    }
}
