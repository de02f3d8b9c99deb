package dev.toolfleet.worker.guard;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.json.Json;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class GuardedSecretsTest {
    private final Guards guards = new Guards();

    @Test
    void whatTheFleetHoldsIsFoundInEveryForm() {
        String token = Guards.TOKEN;
        assertThat(guards.text("is " + token + ".")).isEqualTo("is [REDACTED].");
        assertThat(guards.text(URLEncoder.encode(token, StandardCharsets.UTF_8))).isEqualTo("[REDACTED]");
        assertThat(guards.text(Json.MAPPER.writeValueAsString(token))).isEqualTo("\"[REDACTED]\"");
        for (String before : new String[]{"", "u", "us", "use"}) {
            String coded = Base64.getEncoder()
                    .encodeToString((before + ":" + token + "!!").getBytes(StandardCharsets.UTF_8));
            assertThat(guards.text(coded)).contains("[REDACTED]").hasSizeLessThan(coded.length());
        }
    }

    /// As `base64`, `xxd -p`, `xxd`, `hexdump -C`, `od` and `openssl` write bytes among which the secret is.
    @Test
    void whatToolsWrapIsFoundAcrossTheirLines() {
        String token = Guards.TOKEN;
        for (int before = 0; before < 80; before++) {
            byte[] bytes = ("x".repeat(before) + token + "y".repeat(90)).getBytes(StandardCharsets.UTF_8);
            assertHidden(Base64.getMimeEncoder(76, new byte[]{'\n'}).encodeToString(bytes), bytes);
            assertHidden(Base64.getMimeEncoder(64, new byte[]{'\r', '\n'}).encodeToString(bytes).indent(2), bytes);
            String hex = HexFormat.of().formatHex(bytes);
            assertHidden(hex.replaceAll("(.{60})", "$1\n"), bytes);
            assertHidden(HexFormat.ofDelimiter(":").withUpperCase().formatHex(bytes), bytes);
            assertHidden(HexFormat.ofDelimiter(":").formatHex(bytes).replaceAll("(.{45})", "    $1\n"), bytes);
            assertHidden(dump(bytes, "%08x:", 2, false, "  "), bytes);
            assertHidden(dump(bytes, "%08x ", 1, true, "  |"), bytes);
            assertHidden(dump(bytes, "%06x", 1, false, null), bytes);
        }
    }

    /// Neither the secret's own letters stay, nor enough of its digits to tell it.
    private void assertHidden(String shown, byte[] bytes) {
        String guarded = guards.text(shown);

        assertThat(guarded).as(shown).contains("[REDACTED]");
        String digits = guarded.replaceAll("[\\s:]", "");
        assertThat(digits).doesNotContain(HexFormat.of().formatHex(Guards.TOKEN.getBytes(StandardCharsets.UTF_8))
                .substring(4));
        for (int at = 0; at + 9 <= Guards.TOKEN.length(); at++)
            assertThat(guarded).as("%s bytes", bytes.length).doesNotContain(Guards.TOKEN.substring(at, at + 9));
    }

    /// @param letters what stands before those of a line; null for none
    private static String dump(byte[] bytes, String offset, int group, boolean halves, @Nullable String letters) {
        StringBuilder out = new StringBuilder();
        for (int line = 0; line < bytes.length; line += 16) {
            out.append(String.format(offset, line));
            for (int i = line; i < line + 16; i++) {
                boolean begins = (i - line) % group == 0;
                out.append(begins ? " " : "").append(halves && i - line == 8 ? " " : "")
                        .append(i < bytes.length ? String.format("%02x", bytes[i]) : "  ");
            }
            if (letters != null)
                out.append(letters).append(new String(bytes, line, Math.min(16, bytes.length - line),
                        StandardCharsets.UTF_8));
            out.append('\n');
        }
        return out.toString();
    }

    @Test
    void whatIsNotWrappedIsNotJoined() {
        String prose = """
                de ad be ef ca fe: a table
                of 16 letters and more: abcdefghijklmnopq
                and so on
                """;

        assertThat(guards.text(prose)).isEqualTo(prose);
        assertThat(guards.text("kafka-\nPass-1")).as("what is not encoded is not joined").isEqualTo("kafka-\nPass-1");
    }

    @Test
    void kafkasPasswordIsKnownAndSoIsWhatBundlesName() {
        assertThat(guards.text("kafka-Pass-1")).isEqualTo("[REDACTED]");
        assertThat(guards.text("the-referenced-value")).isEqualTo("the-referenced-value");

        assertThat(new Guards("{\"redactPatterns\": [], \"tool\": \"*\"}").text("abc")).as("too short")
                .isEqualTo("abc");
    }

    @Test
    void aVariableThatABundleNamesIsKnownFromThatRevisionOn() {
        guards.declare("other", "{}");
        guards.declare("named", "{\"redactSecrets\": true, \"x\": {\"valueFrom\": {\"env\": \"CLIENT\"}}}");

        assertThat(guards.text("the-referenced-value")).isEqualTo("[REDACTED]");
    }

    @Test
    void knownSecretsAreFoundAlsoWhereShapesAreNotLookedFor() {
        Guards off = new Guards("{\"redactSecrets\": false}");

        assertThat(off.text(Guards.TOKEN)).isEqualTo("[REDACTED]");
        assertThat(off.text("AKIAIOSFODNN7EXAMPLE")).isEqualTo("AKIAIOSFODNN7EXAMPLE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"AKIAIOSFODNN7EXAMPLE", "ghp_0123456789abcdefghij0123456789ABCDEF",
            "sk-proj-abcdefgh1234567890abcdef", "xoxb-1234567890-abcdefghij", "AIzaSyA0123456789abcdefghijklmnopqrstuv",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcDEF_123", "glpat-abcdefghij0123456789",
            "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA0123456789abcdefghijABCDEFGHIJ0123456789abcd\n-----END RSA PRIVATE KEY-----"})
    void whatLooksLikeASecretIsFound(String secret) {
        assertThat(guards.text("a " + secret + " b")).isEqualTo("a [REDACTED] b");
    }

    @Test
    void tokensOfHeadersAndPasswordsOfAddressesAreFound() {
        assertThat(guards.text("Authorization: Bearer abc.def-0123456789xyz"))
                .isEqualTo("Authorization: Bearer [REDACTED]");
        assertThat(guards.text("postgres://app:s3cr3t99@db/x")).isEqualTo("postgres://app:[REDACTED]@db/x");
        assertThat(guards.text("https://h/p?a=1&api_key=s3cr3t99&b=2"))
                .isEqualTo("https://h/p?a=1&api_key=[REDACTED]&b=2");
        assertThat(guards.json("{\"password\":\"x\",\"nextPageToken\":\"abc\"}"))
                .hasToString("{\"password\":\"[REDACTED]\",\"nextPageToken\":\"abc\"}");
    }

    @Test
    void namesOfFieldsAreReadTooAndStayDifferent() {
        String json = "{\"4111111111111111\":1,\"378282246310005\":2,\"a\":3}";

        assertThat(guards.json(json).toString()).doesNotContain("4111", "3782").contains(":1", ":2", "\"a\":3");
        assertThat(guards.json(json).size()).isEqualTo(3);
    }

    @Test
    void aNumberWhoseFieldSaysWhatItIsBecomesTheMarker() {
        assertThat(guards.json(
                "{\"card\":{\"number\":4111111111111111,\"expires\":1700000000000},\"accountNumber\":110123456789,\"accountCreatedAt\":1700000000000}"))
                .hasToString(
                        "{\"card\":{\"number\":\"[REDACTED]\",\"expires\":1700000000000},\"accountNumber\":\"[REDACTED]\",\"accountCreatedAt\":1700000000000}");
        assertThat(guards.text("account no. 1101234567890")).isEqualTo("account no. [REDACTED]");
        assertThat(guards.text("계좌번호: 11012345678901")).isEqualTo("계좌번호: [REDACTED]");
        assertThat(guards.text("account created 1700000000000")).isEqualTo("account created 1700000000000");
    }

    @Test
    void sourceCodeThatSpeaksOfSecretsStays() {
        String code = """
                String password = readPassword(); // token: see Bearer authentication
                Pattern KEY = Pattern.compile("-----BEGIN [A-Z ]*PRIVATE KEY-----|\\\\bsk-[A-Za-z0-9_-]{20,}");
                String BEGIN = "-----BEGIN PRIVATE KEY-----";
                Map<String, List<String>> byName = a < b ? x : y;
                long at = 1700000000000L; String url = "postgres://user:password@host/db";
                """;

        assertThat(guards.text(code)).isEqualTo(code);
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void whatIsMadeToTakeLongTakesNot() {
        Guards large = new Guards(1 << 24, "{\"maxContentLength\": 5000000, \"redactPatterns\": [\"(a+)+$\"]}");
        int size = 1 << 20;
        for (String piece : new String[]{"4", "4111 ", "4111-", "4111.1", "4 ", "4111\u200b", "-eyJ", "eyJa.", "://",
                "?password=",
                "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "sk-", "Bearer ", "\u001b]", "\u001b[1", "\u009d",
                "account ", "password:", "a"})
            assertThat(large.text(piece.repeat(size / piece.length()))).as(piece).isNotNull();
        assertThat(large.error("password:'".repeat(20_000))).isNotNull();
    }
}
