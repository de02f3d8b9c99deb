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
        assertThat(ControlCharacters.strip("❤\ufe0f\ufe0e\ufe0fb")).isEqualTo("❤\ufe0fb");
        assertThat(ControlCharacters.strip("a\ufeffb\u2060c\u202ed\u0000e\fg")).isEqualTo("abcdeg");
    }

    /// Four bits behind each letter would be a message of their own.
    @Test
    void aSelectorBehindWhatHasOneFormGoes() {
        assertThat(ControlCharacters.strip("a\ufe00b\ufe0fc\ufe07 1\ufe0f2 é\ufe0e")).isEqualTo("abc 12 é");
        assertThat(ControlCharacters.strip("≨\ufe00 ≨\ufe01 葛\ufe01 ❤\ufe01")).isEqualTo("≨\ufe00 ≨ 葛\ufe01 ❤");
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
