package dev.toolfleet.worker.tools.httpfetch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

import dev.toolfleet.testkit.ToolContract;
import dev.toolfleet.tool.TokenAnswer;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.egress.EgressList;
import dev.toolfleet.worker.runtime.builtin.DeclaredTool;
import dev.toolfleet.worker.tools.httpfetch.RawServer.Page;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Isolated("the contract of a tool compares the threads and files of this JVM")
class HttpFetchIT {
    static final String LOOPBACK_ALLOWED = "{'allowAddresses': ['127.0.0.1'], 'allowPorts': ['1024-65535']}";

    private final DeclaredTool http = new DeclaredTool("http-fetch", new HttpFetchModule(EgressList.ALL))
            .configured(LOOPBACK_ALLOWED);

    @Test
    void itPassesTheContract() throws Exception {
        try (RawServer server = RawServer.on("127.0.0.1", HttpFetchIT::contractPage);
                RawServer closed = RawServer.on("127.0.0.1", (request, out) -> {})) {
            String slow = "{'url': '" + server.url("/slow") + "', 'timeoutMs': 60000}";
            ToolContract.of(() -> new HttpFetchModule(EgressList.ALL)).config(LOOPBACK_ALLOWED).export("get")
                    .input("{'url': '" + server.url("/") + "'}").slowInput(slow)
                    .failingInput("{'url': '" + closed.url("/") + "'}").failingInput("{'url': 'http://10.0.0.1/'}")
                    .failingInput("{'url': 'x'}").export("post")
                    .input("{'url': '" + server.url("/") + "', 'body': {'a': 1}}").slowInput(slow)
                    .failingInput("{'url': '" + closed.url("/") + "'}").verify();
        }
    }

    @Test
    void getAnswersWithWhatCame() throws Exception {
        Page page = RawServer.answering(
                "404 Not Here\r\nContent-Type: text/plain; charset=iso-8859-1\r\nX-A: 1\r\nx-a: 2",
                "n\u00f6".getBytes(StandardCharsets.ISO_8859_1));
        try (RawServer server = RawServer.on("127.0.0.1", page)) {
            ObjectNode result = get(server.url("/a?b=c#d"), "'headers': {'X-Key': 'k', 'X-Number': 7}");

            assertThat(result.propertyNames()).containsExactly("url", "method", "status", "statusText", "headers",
                    "body", "bodyEncoding", "truncated", "redirects", "durationMs");
            assertThat(result.path("url").asString()).isEqualTo(server.url("/a?b=c"));
            assertThat(result.path("status").asInt()).isEqualTo(404);
            assertThat(result.path("statusText").asString()).isEqualTo("Not Here");
            assertThat(result.path("headers").path("x-a").asString()).isEqualTo("1, 2");
            assertThat(result.path("body").asString()).isEqualTo("n\u00f6");
            RawServer.Seen seen = server.seen().getFirst();
            assertThat(seen.head()).startsWith("GET /a?b=c HTTP/1.1\r\n");
            assertThat(seen.says("x-key: k")).isTrue();
            assertThat(seen.says("x-number: 7")).isTrue();
            assertThat(seen.says("host: 127.0.0.1:" + server.port())).isTrue();
            assertThat(seen.says("accept-encoding: gzip, deflate")).isTrue();
            assertThat(seen.head().toLowerCase(Locale.ROOT)).doesNotContain("upgrade:", "cookie:");
        }
    }

    @Test
    void postSendsJsonOrText() throws Exception {
        try (RawServer server = RawServer.on("127.0.0.1", RawServer.answering("200 OK", ""))) {
            String url = "{'url': '" + server.url("/") + "'";
            http.call("post", url + ", 'body': {'a': 1}, 'bodyString': 'ignored'}");
            http.call("post", url + ", 'body': {}, 'headers': {'Content-Type': 'application/x+json'}}");
            http.call("post", url + ", 'bodyString': '\u20ac'}");
            http.call("post", url + "}");

            List<RawServer.Seen> seen = server.seen();
            assertThat(seen).extracting(RawServer.Seen::body).containsExactly("{\"a\":1}", "{}", "\u20ac", "");
            assertThat(seen).extracting(RawServer.Seen::method).containsOnly("POST");
            assertThat(seen.get(0).says("content-type: application/json")).isTrue();
            assertThat(seen.get(1).says("content-type: application/x+json")).isTrue();
            assertThat(seen.get(2).says("content-type: text/plain; charset=utf-8")).isTrue();
        }
    }

    @Test
    void cookiesAreNotRemembered() throws Exception {
        try (RawServer server = RawServer.on("127.0.0.1", RawServer.answering("200 OK\r\nset-cookie: a=b", ""))) {
            get(server.url("/"), "'maxBytes': 10");
            get(server.url("/"), "'maxBytes': 10");
            assertThat(server.seen()).hasSize(2).noneMatch(seen -> seen.says("cookie: a=b"));
        }
    }

    @Test
    void redirectsAreFollowedFiveTimes() throws Exception {
        Page page = (request, out) -> {
            int left = Integer.parseInt(request.path().substring(1));
            Page next = left == 0 ? RawServer.answering("200 OK", "end") : RawServer.redirecting("/" + (left - 1));
            next.write(request, out);
        };
        try (RawServer server = RawServer.on("127.0.0.1", page)) {
            ObjectNode result = get(server.url("/5"), "'maxBytes': 10");
            assertThat(result.path("url").asString()).isEqualTo(server.url("/0"));
            assertThat(result.path("redirects").asInt()).isEqualTo(5);
            assertThat(result.path("body").asString()).isEqualTo("end");

            assertThat(failure(server.url("/6"), "'maxBytes': 10")).isEqualTo("E_HTTP_REDIRECTS");
            assertThat(server.seen().getLast().path()).isEqualTo("/1");
        }
    }

    @Test
    void aRedirectToAnotherOriginCarriesNoSecrets() throws Exception {
        try (RawServer other = RawServer.on("127.0.0.1", RawServer.answering("200 OK", ""));
                RawServer server = RawServer.on("127.0.0.1", RawServer.redirecting(other.url("/x")))) {
            get(server.url("/"), "'headers': {'Authorization': 'Bearer s', 'X-Api-Key': 's', 'Cookie': 's=s'}");

            assertThat(server.seen().getFirst().says("authorization: bearer s")).isTrue();
            assertThat(other.seen().getFirst().head().toLowerCase(Locale.ROOT)).doesNotContain("authorization",
                    "x-api-key", "cookie");
        }
    }

    @Test
    void tokenOfTheUserGoesToAuthorizedHostsAlone() throws Exception {
        HttpFetchModule module = new HttpFetchModule(EgressList.ALL);
        module.tokens((context, minTtl, scopes) -> new TokenAnswer.Ready("t-1", "bearer", null, List.of()));
        DeclaredTool fetch = new DeclaredTool("http-fetch", module);
        try (RawServer other = RawServer.on("127.0.0.1", RawServer.answering("200 OK", ""));
                RawServer server = RawServer.on("127.0.0.1", RawServer.redirecting(other.url("/x")))) {
            fetch.configured("{'allowAddresses': ['127.0.0.1'], 'allowPorts': ['1024-65535'], 'authorizedHosts':"
                    + " ['127.0.0.1:" + server.port() + "']}");
            fetch.call("get", "{'url': '" + server.url("/") + "'}");
            fetch.call("get", "{'url': '" + other.url("/y") + "'}");

            assertThat(server.seen().getFirst().says("authorization: bearer t-1")).isTrue();
            assertThat(other.seen()).hasSize(2)
                    .noneMatch(seen -> seen.head().toLowerCase(Locale.ROOT).contains("authorization"));
            assertThatThrownBy(() -> fetch.call("get", "{'url': '" + server.url("/")
                    + "', 'headers': {'Authorization': 'Bearer mine'}}")).isInstanceOfSatisfying(ToolException.class,
                            e -> assertThat(e.code()).isEqualTo("E_TOOL_INVALID_ARGS"));
        }
    }

    @Test
    void callWithoutAGrantSendsNothing() throws Exception {
        HttpFetchModule module = new HttpFetchModule(EgressList.ALL);
        module.tokens((context, minTtl, scopes) -> new TokenAnswer.Required("as-1", "https://x.example", null,
                Instant.EPOCH, "open it"));
        DeclaredTool fetch = new DeclaredTool("http-fetch", module).configured("{'allowAddresses': ['127.0.0.1'],"
                + " 'allowPorts': ['1024-65535'], 'authorizedHosts': ['127.0.0.1']}");
        try (RawServer server = RawServer.on("127.0.0.1", RawServer.answering("200 OK", ""))) {
            assertThatThrownBy(() -> fetch.call("get", "{'url': '" + server.url("/") + "'}"))
                    .isInstanceOfSatisfying(ToolException.class, e -> {
                        assertThat(e.code()).isEqualTo("E_HTTP_UNAUTHORIZED");
                        assertThat(e).hasMessageContaining("https://x.example");
                    });
            assertThat(server.seen()).isEmpty();
        }
    }

    @Test
    void aPostIsRepeatedOnlyByTheRedirectsThatSaySo() throws Exception {
        Page page = (request, out) -> RawServer
                .answering(request.path().equals("/end")
                        ? "200 OK"
                        : request.path().substring(1)
                                + " Moved\r\nlocation: /end",
                        "")
                .write(request, out);
        try (RawServer server = RawServer.on("127.0.0.1", page)) {
            for (String status : List.of("301", "303", "307", "308"))
                http.call("post", "{'url': '" + server.url("/" + status) + "', 'bodyString': 'x'}");
            assertThat(server.seen().stream().filter(seen -> seen.path().equals("/end"))
                    .map(seen -> seen.method() + seen.body())).containsExactly("GET", "GET", "POSTx", "POSTx");
        }
    }

    @ParameterizedTest
    @CsvSource({"gzip,gzip", "x-gzip,gzip", "deflate,zlib", "deflate,raw", "identity,none"})
    void aCompressedBodyIsReadAsWhatItWas(String coding, String format) throws Exception {
        byte[] body = compressed("text ".repeat(10).getBytes(StandardCharsets.UTF_8), format);
        Page page = RawServer.answering("200 OK\r\ncontent-type: text/plain\r\ncontent-encoding: " + coding, body);
        try (RawServer server = RawServer.on("127.0.0.1", page)) {
            assertThat(get(server.url("/"), "'maxBytes': 100").path("body").asString()).isEqualTo("text ".repeat(10));
            ObjectNode cut = get(server.url("/"), "'maxBytes': 7");
            assertThat(cut.path("body").asString()).isEqualTo("text te");
            assertThat(cut.path("truncated").booleanValue()).isTrue();
        }
    }

    @Test
    void aBombIsReadNoFurtherThanItsLimit() throws Exception {
        byte[] bomb = compressed(new byte[100_000_000], "gzip");
        Page page = RawServer.answering("200 OK\r\ncontent-type: text/plain\r\ncontent-encoding: gzip", bomb);
        try (RawServer server = RawServer.on("127.0.0.1", page)) {
            ObjectNode result = get(server.url("/"), "'maxBytes': 1e12");
            assertThat(result.path("body").asString()).as("six bytes of JSON each").hasSize(166_666);
            assertThat(result.path("truncated").booleanValue()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip, gzip", "br", "zstd"})
    void anEncodingThatWasNotAskedForIsRefused(String coding) throws Exception {
        try (RawServer server = RawServer.on("127.0.0.1",
                RawServer.answering("200 OK\r\ncontent-encoding: " + coding, compressed(new byte[10], "gzip")))) {
            assertThat(failure(server.url("/"), "'maxBytes': 10")).isEqualTo("E_HTTP_FAILED");
        }
    }

    @Test
    void anEndlessBodyIsCutAtItsLimit() throws Exception {
        Page page = (request, out) -> {
            out.write(RawServer.bytes("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n", new byte[0]));
            endless(out);
        };
        try (RawServer server = RawServer.on("127.0.0.1", page)) {
            ObjectNode result = get(server.url("/"), "'maxBytes': 1000");
            assertThat(result.path("body").asString()).isEqualTo("x".repeat(1000));
            assertThat(result.path("truncated").booleanValue()).isTrue();
        }
    }

    @Test
    void headersWithoutEndAreRefused() throws Exception {
        Page many = (request, out) -> {
            out.write(RawServer.bytes("HTTP/1.1 200 OK\r\n", new byte[0]));
            for (int i = 0; i < 10_000; i++)
                out.write(RawServer.bytes("x-" + i + ": y\r\n", new byte[0]));
        };
        Page longLine = (request, out) -> {
            out.write(RawServer.bytes("HTTP/1.1 200 OK\r\nx: ", new byte[0]));
            endless(out);
        };
        for (Page page : List.of(many, longLine))
            try (RawServer server = RawServer.on("127.0.0.1", page)) {
                assertThat(http.failure("get", "{'url': '" + server.url("/") + "'}"))
                        .hasMessageContaining("headers of the answer are too large");
            }
    }

    @Test
    void manyLongHeadersDoNotOutgrowAResult() throws Exception {
        Page page = (request, out) -> {
            out.write(RawServer.bytes("HTTP/1.1 299\r\ncontent-length: 0\r\n", new byte[0]));
            for (int i = 0; i < 90; i++)
                out.write(RawServer.bytes("x" + i + "-" + "n".repeat(1000) + ": " + "\"".repeat(7000) + "\r\n",
                        new byte[0]));
            out.write(RawServer.bytes("\r\n", new byte[0]));
        };
        try (RawServer server = RawServer.on("127.0.0.1", page)) {
            ObjectNode result = get(server.url("/"), "'maxBytes': 10");
            assertThat(result.path("statusText").asString()).isEmpty();
            assertThat(result.path("headers").size()).isEqualTo(91);
            assertThat(result.toString().length()).isBetween(300_000, 400_000);
        }
    }

    @Test
    void whatIsNotHttpOrBreaksOffIsAnError() throws Exception {
        Page noHttp = (request, out) -> out.write(RawServer.bytes("SSH-2.0-x\r\n\r\n", new byte[0]));
        Page brokenOff = (request, out) -> out
                .write(RawServer.bytes("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n", new byte[]{'x'}));
        for (Page page : List.of(noHttp, brokenOff))
            try (RawServer server = RawServer.on("127.0.0.1", page)) {
                assertThat(failure(server.url("/"), "'maxBytes': 100")).isEqualTo("E_HTTP_FAILED");
            }
        RawServer gone = RawServer.on("127.0.0.1", noHttp);
        gone.close();
        assertThat(failure(gone.url("/"), "'maxBytes': 100")).isEqualTo("E_HTTP_FAILED");
    }

    @Test
    void argumentsThatCannotBeMeantAreRefused() throws Exception {
        for (String arguments : List.of("'maxBytes': 0", "'timeoutMs': 0", "'timeoutMs': -1", "'headers': {'a': []}",
                "'headers': {'Host': 'x'}"))
            assertThat(failure("http://127.0.0.1:1024/", arguments)).as(arguments).isEqualTo("E_TOOL_INVALID_ARGS");
        assertThat(http.failure("post", "{'url': 'http://127.0.0.1:1024/', 'body': [1]}").code())
                .isEqualTo("E_TOOL_INVALID_ARGS");
    }

    /// Writes until the other side is gone.
    static void endless(OutputStream out) throws IOException {
        byte[] some = "x".repeat(1000).getBytes(StandardCharsets.US_ASCII);
        while (true)
            out.write(some);
    }

    private static void contractPage(RawServer.Seen request, OutputStream out) throws Exception {
        if (!request.path().equals("/slow")) {
            RawServer.answering("200 OK", "fine").write(request, out);
            return;
        }
        out.write(RawServer.bytes("HTTP/1.1 200 OK\r\n\r\n", new byte[0]));
        while (true) {
            out.write('x');
            Thread.sleep(20);
        }
    }

    private static byte[] compressed(byte[] body, String format) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = switch (format) {
            case "gzip" -> new GZIPOutputStream(bytes);
            case "zlib" -> new DeflaterOutputStream(bytes);
            case "raw" -> new DeflaterOutputStream(bytes, new Deflater(Deflater.DEFAULT_COMPRESSION, true));
            default -> bytes;
        }) {
            out.write(body);
        }
        return bytes.toByteArray();
    }

    private ObjectNode get(String url, String more) throws Exception {
        return http.call("get", "{'url': '" + url + "', " + more + "}");
    }

    private String failure(String url, String more) throws Exception {
        return http.failure("get", "{'url': '" + url + "', " + more + "}").code();
    }
}
