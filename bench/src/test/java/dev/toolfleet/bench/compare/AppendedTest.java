package dev.toolfleet.bench.compare;

import java.time.Duration;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AppendedTest {
    @Test
    void theRateIsThatBetweenTwoRanks() {
        Appended appended = new Appended(100);
        // The first half slow, 10 a second; the second 1,000 a second; from two partitions, so not in order of time.
        IntStream.range(50, 100).forEach(i -> appended.add(10_000 + i));
        IntStream.range(0, 50).forEach(i -> appended.add(100L * i));

        assertThat(appended.perSecond(1, 50)).isEqualTo(10);
        assertThat(appended.perSecond(51, 100)).isEqualTo(1_000);
        assertThat(appended.whole()).isEqualTo(Duration.ofMillis(10_099));
    }

    @Test
    void withoutSoManyResultsOrAnyTimeThereIsNoRate() {
        Appended appended = new Appended(10);
        appended.add(5);
        appended.add(5);

        assertThat(appended.perSecond(1, 2)).isZero();
        assertThat(appended.perSecond(1, 3)).isZero();
        assertThat(new Appended(10).whole()).isZero();
    }
}
