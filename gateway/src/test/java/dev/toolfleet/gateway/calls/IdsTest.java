package dev.toolfleet.gateway.calls;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class IdsTest {
    @ParameterizedTest
    @ValueSource(strings = {"0-0", "3-1042", "2147483647-9223372036854775807"})
    void anIdIsReadAsItIsWritten(String text) {
        assertThat(CallId.parse(text)).hasToString(text);
        assertThat(ResultPosition.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "-", "3-", "-3", "03-1", "3-01", "+3-1", "3--1", "3-1 ", "3-1-2", "٣-1",
            "2147483648-0", "0-9223372036854775808", "0-99999999999999999999", "3.1"})
    void anotherTextIsRejectedByItsName(String text) {
        assertThatThrownBy(() -> CallId.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is no call id: {partition}-{offset} expected, two whole numbers without"
                        + " leading zeros, such as 3-1042");
        assertThatThrownBy(() -> ResultPosition.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no position of a result");
    }

    @Test
    void aLongTextIsCutInItsMessage() {
        assertThatThrownBy(() -> CallId.parse("x".repeat(10_000))).hasMessageMatching("'x{60}…' is no call id: .*");
        assertThatThrownBy(() -> EventId.parse("x".repeat(10_000))).hasMessageMatching("'x{60}…' is no event id: .*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0", "42.18", "9223372036854775807.1"})
    void anEventIdIsReadAsItIsWritten(String text) {
        assertThat(EventId.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1.", ".1", "01.1", "-1.0", "1.1.1", "9223372036854775808.0", "1-1"})
    void anotherEventIdIsRejected(String text) {
        assertThatThrownBy(() -> EventId.parse(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("such as 42.18");
    }

    @Test
    void anEventIdNeverGoesBack() {
        EventId seen = EventId.ACCEPTED.withProgress(41).withResult(17);

        assertThat(seen).hasToString("42.18");
        assertThat(seen.withProgress(3).withResult(2)).isEqualTo(seen);
    }

    @Test
    void callsOfAPartitionAreInTheOrderOfTheirOffsets() {
        assertThat(CallId.parse("1-9")).isLessThan(CallId.parse("1-10")).isLessThan(CallId.parse("2-0"));
    }
}
