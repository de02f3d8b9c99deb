package dev.toolfleet.json;

import java.util.stream.IntStream;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

/// The shown form of a text can be read back, and all of it is visible.
class ShownTextPropertyTest {
    @Example
    void whatIsSeenStaysAsItIs() {
        String text = "sed 's/\\\\/\\u/' C:\\users\n\tübergröße 한국어 😀\r\n";

        assertThat(ShownText.of(text)).isSameAs(text);
        assertThat(ShownText.read(text)).isSameAs(text);
    }

    @Example
    void whatIsNotSeenIsAnEscape() {
        assertThat(ShownText.of("a\u202eb\u00a0c\u2800d\re\ue000f\u0378")).isEqualTo(
                "a\\u202eb\\u00a0c\\u2800d\\u000de\\ue000f\\u0378");
    }

    @Example
    void aTextThatLooksLikeAnEscapeIsToldFromOne() {
        assertThat(ShownText.of("\\u202e")).isEqualTo("\\u005cu202e");
        assertThat(ShownText.of("\u202e")).isEqualTo("\\u202e");
    }

    @Property(seed = "11", tries = 5_000)
    void everyTextIsReadBackAsItWas(@ForAll("texts") String text) {
        assertThat(ShownText.read(ShownText.of(text))).isEqualTo(text);
    }

    @Property(seed = "12", tries = 2_000)
    void allThatIsShownIsSeen(@ForAll("texts") String text) {
        String shown = ShownText.of(text);

        assertThat(IntStream.range(0, shown.length()).filter(i -> !Character.isLowSurrogate(shown.charAt(i)))
                .mapToObj(shown::codePointAt).filter(ShownText::isHidden)).isSubsetOf(0x0d, 0x0a, 0x09);
    }

    @Provide
    static Arbitrary<String> texts() {
        Arbitrary<String> any = Arbitraries.strings().all().ofMaxLength(30);
        Arbitrary<String> rough = Arbitraries.strings()
                .withChars("\\\\\\uuu0235cCeE\u001b\u202e\u200b\ufe0f\r\n\t \u00a0\ud83d\ude00").ofMaxLength(40);
        return Arbitraries.oneOf(any, rough);
    }
}
