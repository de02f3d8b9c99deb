package dev.toolfleet.bench.fleet;

import java.time.Duration;

import dev.toolfleet.bench.verdict.TakeOverTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TakeOverTimesTest {
    @Test
    void eachTakeOverOfALogIsFoundAndIfItsWorkerWasReady() {
        assertThat(TakeOverTimes.parse("""
            2026-01-01T00:00:00.000 INFO  Worker: worker started worker="w1" ms="9"
            2026-01-01T00:00:01.000 INFO  TakeOverPool: partition taken over partition="7" epoch="2" ms="165"
            2026-01-01T00:00:02.000 WARN  TakeOverPool: take-over not complete, trying again partition="8"
            2026-01-01T00:00:03.000 INFO  TakeOverPool: partition taken over partition="8" epoch="3" ms="2235"
            2026-01-01T00:00:03.001 INFO  ReadinessLog: worker is ready
            2026-01-01T00:00:04.000 INFO  TakeOverPool: partition taken over partition="9" epoch="4" ms="40"
            2026-01-01T00:00:05.000 INFO  Worker: worker started worker="w1" ms="9"
            2026-01-01T00:00:06.000 INFO  TakeOverPool: partition taken over partition="7" epoch="2" ms="180"
            """)).containsExactly(takeOver(165, false), takeOver(2_235, false), takeOver(40, true),
                takeOver(180, false));
    }

    private static TakeOverTime takeOver(long millis, boolean ready) {
        return new TakeOverTime(Duration.ofMillis(millis), ready);
    }
}
