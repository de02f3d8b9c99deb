package dev.toolfleet.json;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CanonicalTextTest {
    @Test
    void aTextHasNothingOfTheOneBefore() {
        String before = new CanonicalText(8).string("x".repeat(1_000)).text();

        assertThat(new CanonicalText(8).string("y").text()).isEqualTo("\"y\"");
        assertThat(before).isEqualTo("\"" + "x".repeat(1_000) + "\"");
    }

    @Test
    void textsThatAreWrittenInTurnsDoNotMix() {
        List<CanonicalText> texts = IntStream.range(0, 40).mapToObj(i -> new CanonicalText(4).raw(i + ":")).toList();
        texts.forEach(text -> text.string("z".repeat(100)));

        for (int i = 0; i < texts.size(); i++)
            assertThat(texts.get(i).text()).isEqualTo(i + ":\"" + "z".repeat(100) + "\"");
    }

    @Test
    void anEndedTextIsEmptyAndTakesNoMemoryOfOthers() {
        CanonicalText ended = new CanonicalText(16).raw("one");
        assertThat(ended.sha256()).isEqualTo(Digests.sha256("one"));
        CanonicalText later = new CanonicalText(16).raw("two");

        assertThat(ended.raw("three").text()).isEqualTo("three");
        assertThat(later.text()).isEqualTo("two");
    }
}
