package dev.toolfleet.worker.egress;

import java.nio.charset.StandardCharsets;

import dev.toolfleet.worker.egress.RequestHead.Body;
import dev.toolfleet.worker.egress.RequestHead.Unreadable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RequestHeadTest {
    @Test
    void aTunnelNamesHostAndPort() throws Exception {
        RequestHead head = RequestHead.parse("CONNECT API.example:443 HTTP/1.1\r\nHost: other.example:443");

        assertThat(head.isTunnel()).isTrue();
        assertThat(head.host().text()).isEqualTo("api.example");
        assertThat(head.port()).isEqualTo(443);
    }

    @Test
    void theServerHearsItsOwnPartOfARequest() throws Exception {
        RequestHead head = RequestHead.parse(lines("POST HTTP://a.example:8080/p?q=%20 HTTP/1.1", "Host: evil.example",
                "Proxy-Authorization: Basic c2VjcmV0", "Proxy-Connection: keep-alive", "Connection: x-hop, close",
                "X-Hop: 1", "Content-Length: 3", "Accept: */*"));

        assertThat(new String(head.forServer(), StandardCharsets.ISO_8859_1)).isEqualTo(lines("POST /p?q=%20 HTTP/1.1",
                "Host: a.example:8080", "Content-Length: 3", "Accept: */*", "Connection: close", "", ""));
        assertThat(head.body()).isEqualTo(new Body.Sized(3));
    }

    private static String lines(String... lines) {
        return String.join("\r\n", lines);
    }

    @Test
    void aUrlWithoutPathMeansTheRoot() throws Exception {
        assertThat(RequestHead.parse("GET http://a.example HTTP/1.0").target()).isEqualTo("/");
        assertThat(RequestHead.parse("GET http://a.example?q HTTP/1.1").target()).isEqualTo("/?q");
        assertThat(RequestHead.parse("GET http://a.example HTTP/1.1").port()).isEqualTo(80);
    }

    @Test
    void aBodyInChunksIsRead() throws Exception {
        assertThat(RequestHead.parse("PUT http://a.example/ HTTP/1.1\r\nTransfer-Encoding: Chunked").body())
                .isEqualTo(new Body.Chunked());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1", "GET https://a.example/ HTTP/1.1", "CONNECT a.example HTTP/1.1",
            "CONNECT 0x7f.1:443 HTTP/1.1", "CONNECT 2130706433:443 HTTP/1.1", "CONNECT a.example:0 HTTP/1.1",
            "GET http://u@a.example/ HTTP/1.1", "GET http://a.example\\@b.example/ HTTP/1.1",
            "GET http://a.example#@b.example/ HTTP/1.1", "GET http://a.example%00.b.example/ HTTP/1.1",
            "GET http:///x HTTP/1.1", "GET http://a.example/ HTTP/2", "GET  http://a.example/ HTTP/1.1", "",
            "GET http://a.example/ HTTP/1.1\r\nX: a\nHost: b", "GET http://a.example/ HTTP/1.1\r\n folded",
            "GET http://a.example/ HTTP/1.1\r\nX : a", "GET http://a.example/ HTTP/1.1\r\nX: a\0",
            "POST http://a.example/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2",
            "POST http://a.example/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked",
            "POST http://a.example/ HTTP/1.1\r\nTransfer-Encoding: gzip, chunked",
            "POST http://a.example/ HTTP/1.1\r\nContent-Length: +1"})
    void whatTwoReadersCouldReadInTwoWaysIsRefused(String head) {
        assertThatThrownBy(() -> RequestHead.parse(head)).isInstanceOf(Unreadable.class);
    }
}
