package dev.toolfleet.worker.tools.args;

import dev.toolfleet.json.Json;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JsonTextPropertyTest {
    @Property(seed = "7", tries = 500)
    void theSizeIsThatOfTheEncodedText(@ForAll String any) {
        String text = any.replaceAll("[\\ud800-\\udfff]", "");
        assertThat(JsonText.size(text)).isEqualTo(encoded(text));
    }

    @Test
    void everyKindOfCharacterIsMeasuredAsItIsWritten() {
        for (int character = 0; character < 0x11000; character++) {
            if (character < Character.MIN_SURROGATE || character > Character.MAX_SURROGATE)
                assertThat(JsonText.size(Character.toString(character))).as("U+%04X", character)
                        .isEqualTo(encoded(Character.toString(character)));
        }
    }

    @Property(seed = "8", tries = 200)
    void aCutIsTheLongestBeginningThatFits(@ForAll String text) {
        int half = JsonText.size(text) / 2;
        String cut = JsonText.cut(text, half);

        assertThat(text).startsWith(cut);
        assertThat(JsonText.size(cut)).isLessThanOrEqualTo(half);
        if (cut.length() < text.length())
            assertThat(JsonText.size(text.substring(0, text.offsetByCodePoints(cut.length(), 1))))
                    .isGreaterThan(half);
        assertThat(JsonText.cut(text, JsonText.size(text))).isEqualTo(text);
    }

    private static int encoded(String text) {
        return Json.MAPPER.writeValueAsBytes(text).length - 2;
    }
}
