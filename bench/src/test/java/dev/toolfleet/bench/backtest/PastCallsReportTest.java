package dev.toolfleet.bench.backtest;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PastCallsReportTest {
    private static final Map<String, Long> EXPECTED = Map.of("denied", 7L, "asked", 3L);

    @Test
    void aMillionCallsHaveAMinute() {
        assertThat(report(1_000_000, EXPECTED, 10, 60).kept()).isTrue();
        assertThat(report(1_000_000, EXPECTED, 10, 61).kept()).isFalse();
        assertThat(report(2_000_000, EXPECTED, 10, 120).kept()).isTrue();
        assertThat(report(1_000, EXPECTED, 10, 59).kept()).as("a process has to start").isTrue();
    }

    @Test
    void aWrongCountAndAMissingResultBreakThePromise() {
        assertThat(report(1_000, Map.of("denied", 7L), 7, 1).kept()).isFalse();
        assertThat(report(1_000, EXPECTED, 9, 1).kept()).isFalse();
        assertThat(new PastCallsReport(1_000, 999, EXPECTED, EXPECTED, 10, Duration.ofSeconds(1),
                Duration.ZERO).kept()).isFalse();
    }

    private static PastCallsReport report(int calls, Map<String, Long> found, long joined, int seconds) {
        return new PastCallsReport(calls, calls, EXPECTED, found, joined, Duration.ofSeconds(seconds), Duration.ZERO);
    }
}
