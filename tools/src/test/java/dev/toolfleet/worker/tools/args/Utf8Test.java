package dev.toolfleet.worker.tools.args;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class Utf8Test {
    private static final byte[] TEXT = "a\u00e9\u20ac\ud83d\ude00".getBytes(StandardCharsets.UTF_8);

    @Test
    void aCutNeverSplitsACharacter() {
        String[] expected = {"", "a", "a", "a\u00e9", "a\u00e9", "a\u00e9", "a\u00e9\u20ac", "a\u00e9\u20ac",
                "a\u00e9\u20ac", "a\u00e9\u20ac", "a\u00e9\u20ac\ud83d\ude00"};
        for (int length = 0; length <= TEXT.length; length++)
            assertThat(Utf8.cut(TEXT, length)).isEqualTo(expected[length]);
    }

    @Test
    void bytesThatAreNotUtf8BecomeReplacements() {
        byte[] bytes = {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 'x', (byte) 0xff};
        assertThat(Utf8.cut(bytes, 6)).isEqualTo("\ufffd\ufffd\ufffd\ufffdx\ufffd");
        assertThat(Utf8.cut(bytes, 4)).isEqualTo("\ufffd\ufffd\ufffd\ufffd");
    }
}
