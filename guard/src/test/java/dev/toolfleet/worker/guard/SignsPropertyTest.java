package dev.toolfleet.worker.guard;

import java.util.Locale;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// A text that contains another is never said to lack its signs.
class SignsPropertyTest {

    @Property
    void aTextCoversWhateverItContains(@ForAll String before, @ForAll @CharRange(from = ' ', to = '~') String inside,
            @ForAll String after) {
        assertThat(Signs.of(before + inside + after).cover(Signs.of(inside))).isTrue();
    }

    @Property
    void inLowerCaseItCoversWhateverItsLowerCaseContains(@ForAll String text) {
        String lower = text.toLowerCase(Locale.ROOT);

        assertThat(Signs.of(text).inLowerCase().cover(Signs.of(lower))).isTrue();
    }

    @Property
    void alsoWithAsciiAlone(@ForAll @CharRange(from = 0, to = 127) @StringLength(max = 40) String text) {
        Signs lower = Signs.of(text).inLowerCase();

        assertThat(lower.cover(Signs.of(text.toLowerCase(Locale.ROOT)))).isTrue();
        for (char c = 0; c < 128; c++) {
            boolean there = text.indexOf(c) >= 0 || text.toLowerCase(Locale.ROOT).indexOf(c) >= 0;
            assertThat(lower.cover(Signs.of(String.valueOf(c)))).as("character %d", (int) c).isEqualTo(there);
        }
    }

    @Test
    void whatIsMissingIsNotCovered() {
        assertThat(Signs.of("the weather").cover(Signs.of("sk-"))).isFalse();
        assertThat(Signs.of("THE WEATHER").cover(Signs.of("the"))).isFalse();
    }
}
