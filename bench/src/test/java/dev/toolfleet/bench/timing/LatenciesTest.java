package dev.toolfleet.bench.timing;

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
        assertThat(latencies.at(50)).isEqualTo(Duration.ofSeconds(1));
        assertThat(latencies.at(95)).isEqualTo(Duration.ofMillis(1_900));
        assertThat(latencies.at(99)).isEqualTo(Duration.ofMillis(1_980));
        assertThat(latencies.at(99.9)).isEqualTo(Duration.ofMillis(1_998));
        assertThat(latencies.at(100)).isEqualTo(Duration.ofSeconds(2));
        assertThat(latencies.mean()).isEqualTo(Duration.ofNanos(1_000_500_000));
    }

    @Test
    void aSampleThatComesAfterAQuestionCounts() {
        latencies.add(5);
        assertThat(latencies.at(100)).isEqualTo(Duration.ofNanos(5));

        latencies.add(1);

        assertThat(latencies.at(50)).isEqualTo(Duration.ofNanos(1));
    }

    @Test
    void ofNothingAllAreZero() {
        assertThat(latencies.at(100)).isZero();
        assertThat(latencies.mean()).isZero();
    }
}
