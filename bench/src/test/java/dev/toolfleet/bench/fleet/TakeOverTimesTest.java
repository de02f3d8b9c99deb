package dev.toolfleet.bench.fleet;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TakeOverTimesTest {
    @Test
    void eachTakeOverOfALogIsFound() {
        assertThat(TakeOverTimes.parse("""
            2026-01-01T00:00:00.000 INFO  Worker: worker started worker="w1" ms="9"
            2026-01-01T00:00:01.000 INFO  TakeOverPool: partition taken over partition="7" epoch="2" ms="165"
            2026-01-01T00:00:02.000 WARN  TakeOverPool: take-over not complete, trying again partition="8"
            2026-01-01T00:00:03.000 INFO  TakeOverPool: partition taken over partition="8" epoch="3" ms="2235"
            """)).containsExactly(Duration.ofMillis(165), Duration.ofMillis(2_235));
    }
}
