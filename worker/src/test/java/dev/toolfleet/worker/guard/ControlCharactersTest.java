package dev.toolfleet.worker.guard;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ControlCharactersTest {
    @ParameterizedTest
    @ValueSource(strings = {"a\tb\r\nc", "👨‍👩‍👧 ❤️ 1️⃣", "می‌خواهم", "क्‍ष", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\ufeffclass A {}",
            "葛\udb40\udd00", "שלום\u200f!"})
    void whatWritingNeedsStays(String text) {
        assertThat(ControlCharacters.strip(text)).isSameAs(text);
    }

    @Test
    void whatHidesSomethingGoes() {
        assertThat(ControlCharacters.strip("pa\u200dss\u200cword")).isEqualTo("password");
        assertThat(ControlCharacters.strip("x\udb40\udc41\udb40\udc42")).as("letters that show nothing").isEqualTo("x");
        assertThat(ControlCharacters.strip("a\ufe0f\ufe0e\ufe0fb")).isEqualTo("a\ufe0fb");
        assertThat(ControlCharacters.strip("a\ufeffb\u2060c\u202ed\u0000e\fg")).isEqualTo("abcdeg");
    }

    @Test
    void aSequenceWithoutEndTakesNothingElseWithIt() {
        assertThat(ControlCharacters.strip("\u001b]0;title\nnext line")).isEqualTo("0;title\nnext line");
        assertThat(ControlCharacters.strip("a\u001b[")).isEqualTo("a");
        assertThat(ControlCharacters.strip("a\u001b(Bb\u001b7c")).isEqualTo("abc");
        assertThat(ControlCharacters.strip("a\u001bPdata\u001b\\b")).isEqualTo("ab");
    }

    @Test
    void halfAPairBecomesTheReplacementCharacter() {
        assertThat(ControlCharacters.strip("a\ud83db")).isEqualTo("a\ufffdb");
        assertThat(ControlCharacters.paired("a\ude00")).isEqualTo("a\ufffd");
        assertThat(ControlCharacters.paired("😀")).isEqualTo("😀");
    }
}
