package dev.toolfleet.bench.load;

import java.util.Random;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class KeyMixTest {
    @ParameterizedTest
    @ValueSource(strings = {"uniform:1000", "zipf:1000", "zipf:20:0.9", "hot"})
    void aMixIsWrittenAsItIsRead(String text) {
        assertThat(KeyMix.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "uniform", "uniform:0", "uniform:many", "zipf:10:0", "zipf:10:1:1", "hot:3",
            "distinct"})
    void whatIsNoneIsNamed(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> KeyMix.parse(text))
                .withMessageMatching(".*(keys|exponent).*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"uniform:20", "zipf:20", "zipf:20:0.9", "hot"})
    void callsGoToInstancesByTheirShares(String text) {
        KeyMix mix = KeyMix.parse(text);
        IntSupplier draw = mix.draw(new Random(7));
        int[] drawn = new int[mix.keys()];
        IntStream.range(0, 100_000).forEach(i -> drawn[draw.getAsInt()]++);

        for (int key = 0; key < drawn.length; key++)
            assertThat(drawn[key] / 100_000.0).as("key %d", key).isCloseTo(mix.share(key), within(0.005));
        assertThat(mix.hottest()).isEqualTo(mix.share(0));
    }

    @Test
    void theBusiestOfAThousandGetsOneCallInSevenAndAHalf() {
        assertThat(1 / KeyMix.parse("zipf:1000").hottest()).isCloseTo(7.485, within(0.001));
    }

    @Test
    void theSameSeedDrawsTheSame() {
        KeyMix mix = KeyMix.parse("zipf:50");
        IntSupplier one = mix.draw(new Random(3));
        IntSupplier other = mix.draw(new Random(3));

        assertThat(IntStream.range(0, 100).map(i -> one.getAsInt()).toArray())
                .isEqualTo(IntStream.range(0, 100).map(i -> other.getAsInt()).toArray());
    }
}
