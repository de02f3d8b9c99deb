package dev.toolfleet.worker.tools.httpfetch;

import java.util.Map;
import java.util.Optional;

import dev.toolfleet.tool.ToolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RequestTest {
    private static final Map<String, String> HEADERS = Map.of("Authorization", "Bearer x", "Cookie", "a=b",
            "X-Api-Key", "secret", "Accept", "text/html", "Content-Type", "text/plain");

    @ParameterizedTest
    @CsvSource({"301,GET", "302,GET", "303,GET", "307,POST", "308,POST"})
    void aRedirectKeepsMethodAndBodyOrAsksAnew(int status, String method) {
        Request next = post("https://a.example/").redirected(status, "/next").orElseThrow();

        assertThat(next.method()).isEqualTo(method);
        assertThat(next.body().isPresent()).isEqualTo(method.equals("POST"));
        assertThat(next.headers().values().containsKey("content-type")).isEqualTo(method.equals("POST"));
        assertThat(next.headers().values()).containsEntry("authorization", "Bearer x");
        assertThat(next.target().url()).isEqualTo("https://a.example/next");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 300, 304, 305, 404})
    void otherAnswersAreNoRedirects(int status) {
        assertThat(post("https://a.example/").redirected(status, "/next")).isEmpty();
        assertThat(post("https://a.example/").redirected(302, null)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://b.example/", "https://a.example:8443/", "https://sub.a.example/"})
    void anotherOriginHearsNoSecrets(String location) {
        Request next = post("https://a.example/").redirected(307, location).orElseThrow();

        assertThat(next.headers().values())
                .containsOnly(Map.entry("accept", "text/html"), Map.entry("content-type", "text/plain"));
    }

    @Test
    void anotherSchemeIsAnotherOrigin() {
        Request next = post("http://a.example/").redirected(307, "https://a.example/").orElseThrow();

        assertThat(next.headers().values()).doesNotContainKeys("authorization", "cookie", "x-api-key");
    }

    @Test
    void aRedirectDoesNotLeaveHttps() {
        assertThatExceptionOfType(ToolException.class)
                .isThrownBy(() -> post("https://a.example/").redirected(302, "http://a.example/"))
                .withMessageContaining("from https to http");
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:///etc/passwd", "http://user@b.example/", "http://0x7f.1/", "http://b.example\\x"})
    void aRedirectIsReadAsStrictlyAsAUrl(String location) {
        assertThatExceptionOfType(ToolException.class)
                .isThrownBy(() -> post("http://a.example/").redirected(302, location));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host", "content-length", "Transfer-Encoding", "Connection", "Proxy-Authorization",
            "Upgrade",
            "Expect", "Accept-Encoding", "a b", "", "x:y", "x\r\ny"})
    void aHeaderThatIsNotTheCallersIsRefused(String name) {
        assertThatExceptionOfType(ToolException.class).isThrownBy(() -> RequestHeaders.of(Map.of(name, "x")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nX-Other: b", "a\nb", "a\u0000", "\u20ac", "a\u007f"})
    void aHeaderCannotHoldALineEnd(String value) {
        assertThatExceptionOfType(ToolException.class).isThrownBy(() -> RequestHeaders.of(Map.of("x-a", value)));
    }

    @Test
    void aHeaderIsNamedOnceWhateverItsCase() {
        assertThatExceptionOfType(ToolException.class)
                .isThrownBy(() -> RequestHeaders.of(Map.of("x-a", "1", "X-A", "2"))).withMessageContaining("twice");
    }

    private static Request post(String url) {
        return new Request("POST", Target.parse(url), RequestHeaders.of(HEADERS), Optional.of(new Request.Body("x")));
    }
}
