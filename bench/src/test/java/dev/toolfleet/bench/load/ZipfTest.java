package dev.toolfleet.bench.load;

import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class ZipfTest {
    private static final int DRAWS = 100_000;

    @Test
    void ranksAreDrawnInProportionToTheirWeights() {
        Zipf zipf = new Zipf(4, 1.0);
        Random random = new Random(1);
        int[] drawn = new int[4];
        for (int i = 0; i < DRAWS; i++)
            drawn[zipf.draw(random)]++;

        double sum = 1 + 1 / 2.0 + 1 / 3.0 + 1 / 4.0;
        for (int rank = 0; rank < 4; rank++)
            assertThat((double) drawn[rank] / DRAWS).isCloseTo(1 / (sum * (rank + 1)), within(0.01));
    }

    @Test
    void withoutRanksThereIsNothingToDraw() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Zipf(0, 1)).withMessageContaining("ranks is 0");
    }
}
