package dev.toolfleet.bench.steps;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LatenciesTest {
    private final Latencies latencies = new Latencies();

    @Test
    void aPercentileIsTheSmallestThatSoManyDoNotExceed() {
        for (int millis = 2_000; millis >= 1; millis--)
            latencies.add(Duration.ofMillis(millis).toNanos());

        assertThat(latencies.count()).isEqualTo(2_000);
        assertThat(latencies.summary()).isEqualTo(new StepsReport.Latency(Duration.ofMillis(1_000),
                Duration.ofMillis(1_900), Duration.ofMillis(1_980), Duration.ofMillis(2_000)));
    }

    @Test
    void ofNothingAllAreZero() {
        assertThat(latencies.summary().max()).isZero();
    }
}
