package dev.toolfleet.worker.tools.httpfetch;

import dev.toolfleet.tool.ToolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TargetTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"https://Example.COM | https://example.com/",
            "HTTP://example.com:80/a?b=c#d | http://example.com/a?b=c",
            "https://example.com:443 | https://example.com/",
            "http://example.com:8080/ | http://example.com:8080/", "https://example.com. | https://example.com/",
            "https://example.com:/x | https://example.com/x", "http://h.example/a/../b/./c | http://h.example/b/c",
            "https://example.com/\u00e4 b?q=\u20ac&x[]=1 | https://example.com/%C3%A4%20b?q=%E2%82%AC&x[]=1",
            "https://example.com?q | https://example.com/?q", "http://8.8.8.8/ | http://8.8.8.8/",
            "http://8.8.8.8./ | http://8.8.8.8/", "http://[2600::1]:8443/ | http://[2600:0:0:0:0:0:0:1]:8443/",
            "https://xn--bcher-kva.example | https://xn--bcher-kva.example/",
            "https://a_b.example | https://a_b.example/"})
    void aUrlIsNormalised(String given, String url) {
        assertThat(Target.parse(given).url()).isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///etc/passwd", "ftp://example.com/", "data:text/plain,x", "javascript:alert(1)",
            "gopher://example.com", "jar:http://example.com!/"})
    void otherProtocolsAreRefused(String url) {
        refused(url, "Only http: and https: are allowed.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "example.com", "//example.com/", "http://", "http:///path", "http:example.com",
            "http:/example.com", "http://example.com:0", "http://example.com:65536", "http://example.com:8a",
            "http://a b.example/", "http://example.com/%zz", "http://.example", "http://a..b", "http://-a.example",
            "http://[::1", "http://[::1]x", "http://[fe80::1%25eth0]/", "http://[1.2.3.4]/", "http://[v1.a]/",
            "http://%6c%6fcalhost/", "http://example.com\r\nHost: x/", "http://example.com/\u0000", " "})
    void whatIsNoUrlIsRefused(String url) {
        refused(url, "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://0x7f.1/", "http://2130706433/", "http://017700000001/", "http://127.1/",
            "http://0x7f000001/", "http://0177.0.0.1/", "http://127.0.0.01/", "http://127.0.0.256/", "http://1.2.3/",
            "http://1.2.3.4.5/", "http://0x/", "http://0/", "http://127.0.0.0x1/", "http://example.0x7f/"})
    void anAddressInAnyButPlainNotationIsRefused(String url) {
        refused(url, "neither a name nor an address of four decimal numbers");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127\u30020\u30020\u30021/", "http://\uff11\uff12\uff17.0.0.1/",
            "http://localhost\uff0e/", "http://b\u00fccher.example/", "http://\u24d4xample.com/",
            "http://ex\u00adample.com/"})
    void aHostBeyondAsciiIsRefused(String url) {
        refused(url, "not a host name in ASCII");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://good.example@127.0.0.1/", "http://127.0.0.1@good.example/",
            "http://user:secret@good.example/", "http://good.example%2F@127.0.0.1/", "http://@127.0.0.1/",
            "http://a@b@127.0.0.1/", "http://good.example:80@127.0.0.1/"})
    void aUserInTheUrlIsRefused(String url) {
        refused(url, "user");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://good.example\\@127.0.0.1/", "http:\\\\127.0.0.1/",
            "http://127.0.0.1\\.good.example/",
            "http://good.example/\\127.0.0.1"})
    void aBackslashIsRefused(String url) {
        refused(url, "backslash");
    }

    @Test
    void anAddressInIpv6ThatIsOneOfIpv4IsReadAsThat() {
        assertThat(Target.parse("http://[::ffff:127.0.0.1]/").literal().orElseThrow().getAddress())
                .containsExactly(127, 0, 0, 1);
        assertThat(Target.parse("http://[::ffff:7f00:1]/").literal().orElseThrow().getAddress())
                .containsExactly(127, 0, 0, 1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"/x | http://h.example/x", "x | http://h.example/a/x",
            "?x=1 | http://h.example/a/b?x=1", "#top | http://h.example/a/b",
            "//other.example/x | http://other.example/x",
            "https://other.example | https://other.example/", "../../../x | http://h.example/../../x",
            "/\u00e4 | http://h.example/%C3%A4"})
    void aRedirectIsRelativeToWhereItStands(String location, String url) {
        assertThat(Target.parse("http://h.example/a/b?q=1").resolve(location).url()).isEqualTo(url);
    }

    private static void refused(String url, String message) {
        assertThatExceptionOfType(ToolException.class).isThrownBy(() -> Target.parse(url))
                .withMessageContaining(message)
                .satisfies(e -> assertThat(e.code()).isEqualTo("E_TOOL_INVALID_ARGS"));
    }
}
