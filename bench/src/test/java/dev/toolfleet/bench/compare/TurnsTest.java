package dev.toolfleet.bench.compare;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.toolfleet.bench.load.KeyMix;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TurnsTest {
    private static final List<Entrant> ENTRANTS = Stream.of(Arm.TOOLFLEET, Arm.RAW, Arm.CPC).map(Entrant::of).toList();

    @Test
    void entrantsTakeTurnsAndAnotherBeginsEachRound() throws Exception {
        assertThat(Turns.take(ENTRANTS, List.of(load(Duration.ZERO)), 2,
                (entrant, load, round) -> round + " " + entrant.name()))
                .containsExactly("1 toolfleet", "1 raw", "1 cpc", "2 raw", "2 cpc", "2 toolfleet");
    }

    @Test
    void aLoopOfOneThreadIsNotAskedToSleep() throws Exception {
        assertThat(Turns.take(ENTRANTS, List.of(load(Duration.ofMillis(10))), 1,
                (entrant, load, round) -> entrant.name())).containsExactly("toolfleet", "cpc");
    }

    @Test
    void orderAllowsAsManyResultsAsTheBusiestInstanceTakesTime() {
        assertThat(load(Duration.ofMillis(10)).orderBound()).isEqualTo(1_000);
        assertThat(load(Duration.ZERO).orderBound()).isInfinite();
    }

    private static CallLoad load(Duration work) {
        return new CallLoad(work, new KeyMix.Uniform(10), 0, 1);
    }
}
