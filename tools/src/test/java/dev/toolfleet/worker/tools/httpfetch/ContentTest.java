package dev.toolfleet.worker.tools.httpfetch;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ContentTest {
    private static final byte[] BINARY = {(byte) 0x89, 'P', 'N', 'G', 0, 1, (byte) 0xff};

    @ParameterizedTest
    @CsvSource({"text/html; charset=ISO-8859-1,ISO-8859-1", "text/plain; charset=\"windows-1252\",windows-1252",
            "text/plain; charset=utf-8,UTF-8", "text/plain,UTF-8", "application/json,UTF-8",
            "application/problem+json,UTF-8", "application/octet-stream; charset=UTF-16LE,UTF-16LE"})
    void aTextIsReadInItsCharset(String contentType, String charset) {
        Content content = content("h\u00e9llo".getBytes(Charset.forName(charset)), contentType);
        assertThat(content).isEqualTo(new Content("h\u00e9llo", "text", false));
    }

    @Test
    void withoutATypeWhatLooksLikeTextIsText() {
        assertThat(content("\u20ac".getBytes(StandardCharsets.UTF_8), null).body()).isEqualTo("\u20ac");
        assertThat(content("x".getBytes(StandardCharsets.UTF_8), "application/octet-stream").encoding())
                .isEqualTo("text");
        assertThat(content("x".getBytes(StandardCharsets.UTF_8), "no type at all;;;=").encoding()).isEqualTo("text");
        assertThat(content("x".getBytes(StandardCharsets.UTF_8), "text/plain; charset=none").body()).isEqualTo("x");
        assertThat(content(new byte[0], null)).isEqualTo(new Content("", "text", false));
    }

    @Test
    void aByteOrderMarkDecidesAndIsLeftOut() {
        assertThat(content("\ufeffx".getBytes(StandardCharsets.UTF_8), "text/plain").body()).isEqualTo("x");
        assertThat(content("\ufeffx".getBytes(StandardCharsets.UTF_16BE), "text/plain").body()).isEqualTo("x");
        assertThat(content("\ufeffx".getBytes(StandardCharsets.UTF_16LE), "text/plain").body()).isEqualTo("x");
    }

    @Test
    void whatIsNoTextIsBase64() {
        Content content = content(BINARY, "image/png");
        assertThat(content.encoding()).isEqualTo("base64");
        assertThat(Base64.getDecoder().decode(content.body())).isEqualTo(BINARY);
        assertThat(Content.of(BINARY, false, "image/png", 8))
                .isEqualTo(new Content(Base64.getEncoder().encodeToString(new byte[]{(byte) 0x89, 'P', 'N', 'G', 0, 1}),
                        "base64", true));
    }

    @Test
    void aCutTextEndsWithAWholeCharacter() {
        byte[] euros = "a\u20ac\u20ac".getBytes(StandardCharsets.UTF_8);
        byte[] part = Arrays.copyOf(euros, 6);
        assertThat(Content.of(part, true, null, 100)).isEqualTo(new Content("a\u20ac", "text", true));
        assertThat(Content.of(euros, false, null, 4)).isEqualTo(new Content("a\u20ac", "text", true));
    }

    private static Content content(byte[] bytes, @Nullable String contentType) {
        return Content.of(bytes, false, contentType, 1000);
    }
}
