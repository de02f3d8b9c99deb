package dev.toolfleet.bench.compare;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FootprintTest {
    private static final AnswerVerdict CLEAN = new AnswerVerdict(0, 0, 0, 0);

    @Test
    void whatIsTakenWhileWarmingUpIsNoGrowth() {
        assertThat(of(Arm.TOOLFLEET, second -> second < 100 ? 100_000_000L + second : 400_000_000L).kept()).isTrue();
    }

    @Test
    void whatComesLaterIs() {
        Footprint growing = of(Arm.TOOLFLEET, second -> 300_000_000L + second * 100_000L);

        assertThat(growing.growth()).isGreaterThan(1.05);
        assertThat(growing.kept()).isFalse();
        assertThat(of(Arm.CPC, second -> 300_000_000L + second * 100_000L).kept()).isTrue();
    }

    @Test
    void onePeakIsTooMuch() {
        assertThat(of(Arm.TOOLFLEET, second -> second == 480 ? 600_000_000L : 400_000_000L).kept()).isFalse();
    }

    private interface Bytes {
        long at(int second);
    }

    private static Footprint of(Arm arm, Bytes bytes) {
        List<Long> resident = IntStream.range(0, 500).mapToObj(bytes::at).toList();
        return new Footprint(Entrant.of(arm), resident, 500, 0, CLEAN);
    }
}
