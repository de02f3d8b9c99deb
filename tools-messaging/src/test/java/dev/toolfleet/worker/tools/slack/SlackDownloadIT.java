package dev.toolfleet.worker.tools.slack;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.runtime.builtin.DeclaredTool;
import dev.toolfleet.worker.tools.messaging.Leaks;
import dev.toolfleet.worker.tools.messaging.StubService;
import dev.toolfleet.worker.tools.messaging.StubService.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// Files come from Slack's own hosts, or from where the operator put Slack's API, and nowhere else.
@Isolated("records every line that this JVM logs, at the level TRACE")
class SlackDownloadIT {
    private static final Reply FILE = new Reply(200, Map.of("Content-Type", "text/plain", "ETag", "\"e\"",
            "Content-Disposition", "attachment; filename=a.txt"), "hello");

    @TempDir
    Path workdir;

    @Test
    void aFileComesWithTheTokenAndGoesIntoTheWorkdirAndTheResult() throws Exception {
        try (StubService stub = StubService.always(FILE)) {
            String url = stub.url() + "/files-pri/T1-F1/a.txt?x=" + SlackIT.TOKEN;
            ObjectNode result = SlackIT.slack(stub).call("downloadFile",
                    "{'url': '" + url + "', 'savePath': 'in/a.txt'}", FakeToolContext.in(workdir));

            assertThat(stub.last().method()).isEqualTo("GET");
            assertThat(stub.last().path()).startsWith("/files-pri/T1-F1/a.txt");
            assertThat(stub.last().header("Authorization")).isEqualTo("Bearer " + SlackIT.TOKEN);
            assertThat(workdir.resolve("in/a.txt")).hasContent("hello");
            assertThat(result.propertyNames()).containsExactly("ok", "url", "contentType", "contentLength", "sizeBytes",
                    "etag", "contentDisposition", "savedPath", "inlined", "base64", "dataUrl");
            assertThat(result.path("contentLength").asInt()).isEqualTo(5);
            assertThat(result.path("etag").asString()).isEqualTo("\"e\"");
            assertThat(result.path("savedPath").asString()).isEqualTo(workdir.toRealPath() + "/in/a.txt");
            assertThat(result.path("base64").asString()).isEqualTo("aGVsbG8=");
            assertThat(result.path("dataUrl").asString()).isEqualTo("data:text/plain;base64,aGVsbG8=");
            assertThat(result.toString()).doesNotContain(SlackIT.TOKEN);
        }
    }

    @Test
    void whatIsTooLargeForAResultIsOnlySaved() throws Exception {
        Reply large = new Reply(200, Map.of(), "x".repeat(30_001));
        try (StubService stub = StubService.always(large.with("X-Length", "unsaid"))) {
            ObjectNode result = SlackIT.slack(stub).call("downloadFile",
                    "{'url': '" + stub.url() + "/f', 'savePath': 'f'}", FakeToolContext.in(workdir));
            assertThat(result.path("inlined").booleanValue()).isFalse();
            assertThat(result.path("base64").isNull()).isTrue();
            assertThat(result.path("dataUrl").isNull()).isTrue();
            assertThat(result.path("contentLength").isNull()).isTrue();
            assertThat(result.path("sizeBytes").asInt()).isEqualTo(30_001);
            assertThat(workdir.resolve("f")).hasSize(30_001);

            DeclaredTool wider = SlackIT.slack(stub).configured("{'maxInlineBytes': 40000}");
            ObjectNode inlined = wider.call("downloadFile", "{'url': '" + stub.url() + "/f', 'includeDataUrl': false}");
            assertThat(inlined.path("base64").asString()).hasSize(40_004);
            assertThat(inlined.path("dataUrl").isNull()).isTrue();
        }
    }

    @Test
    void aFileThatIsTooLargeIsRefusedWhetherItsLengthIsSaidOrNot() throws Exception {
        for (String length : List.of("said", "unsaid"))
            try (StubService stub = StubService.always(FILE.with("X-Length", length))) {
                ToolException e = SlackIT.slack(stub).failure("downloadFile",
                        "{'url': '" + stub.url() + "/f', 'maxBytes': 4, 'savePath': 'never'}");
                assertThat(e.code()).isEqualTo("E_SLACK_TOO_LARGE");
                assertThat(e).hasMessage("Slack file exceeds maxBytes limit (5 > 4)");
                assertThat(Path.of("never")).doesNotExist();
            }
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://example.com/a", "https://slack.com.example.com/a", "https://notslack.com/a",
            "http://files.slack.com/a", "https://files.slack.com:8443/a", "https://files.slack.com@example.com/a",
            "https://u:p@files.slack.com/a", "file:///etc/passwd", "https://169.254.169.254/latest",
            "//files.slack.com"})
    void foreignHostsGetNeitherTheTokenNorARequest(String url) throws Exception {
        ToolException e = new DeclaredTool("slack",
                new SlackModule(Path.of("workspace"), Map.of("SLACK_TOKEN", SlackIT.TOKEN)))
                .failure("downloadFile", "{'url': '" + url + "'}");
        assertThat(e.code()).isEqualTo("E_SLACK_REFUSED");
    }

    @Test
    void aRedirectToAForeignHostIsNotFollowed() throws Exception {
        try (StubService foreign = StubService.always(FILE);
                StubService stub = StubService.always(Reply.redirect(foreign.url() + "/a"))) {
            ToolException e = SlackIT.slack(stub).failure("downloadFile", "{'url': '" + stub.url() + "/f'}");
            assertThat(e.code()).isEqualTo("E_SLACK_REFUSED");
            assertThat(stub.seen()).hasSize(1);
            assertThat(foreign.seen()).isEmpty();
        }
    }

    @Test
    void aRedirectOnTheSameHostIsFollowedAFewTimes() throws Exception {
        Deque<Reply> replies = new ArrayDeque<>(List.of(Reply.redirect("/2"), Reply.redirect("/3"), FILE));
        try (StubService stub = StubService.answering(_ -> replies.remove());
                StubService endless = StubService.always(Reply.redirect("/again"))) {
            assertThat(SlackIT.slack(stub).call("downloadFile", "{'url': '" + stub.url() + "/1'}").path("sizeBytes")
                    .asInt()).isEqualTo(5);
            assertThat(stub.seen()).extracting(StubService.Seen::path).containsExactly("/1", "/2", "/3");
            assertThat(SlackIT.slack(endless).failure("downloadFile", "{'url': '" + endless.url() + "/1'}"))
                    .hasMessageContaining("more than 3 redirects");
        }
    }

    @Test
    void theSignInPageIsNoFile() throws Exception {
        Deque<Reply> replies = new ArrayDeque<>(
                List.of(Reply.redirect("/signin"), new Reply(200, Map.of("Content-Type", "text/html"), "<html>")));
        try (StubService stub = StubService.answering(_ -> replies.remove())) {
            assertThat(SlackIT.slack(stub).failure("downloadFile", "{'url': '" + stub.url() + "/1'}"))
                    .hasMessageContaining("sign-in page");
        }
    }

    @Test
    void errorsOfADownloadNameTheStatusAndWaitsAreHonoured() throws Exception {
        Deque<Reply> replies = new ArrayDeque<>(
                List.of(new Reply(429, Map.of("Retry-After", "1"), ""), FILE, new Reply(403, Map.of(), "")));
        try (StubService stub = StubService.answering(_ -> replies.remove()); Leaks leaks = new Leaks(SlackIT.TOKEN)) {
            String args = "{'url': '" + stub.url() + "/1'}";
            assertThat(SlackIT.slack(stub).call("downloadFile", args).path("sizeBytes").asInt()).isEqualTo(5);
            ToolException e = SlackIT.slack(stub).failure("downloadFile", args);
            assertThat(e).hasMessage("[slack] file download failed: HTTP 403 Forbidden");
            leaks.assertHidden(e);
            leaks.assertNothingLogged();
        }
    }

    @Test
    void nothingIsSavedOutsideOfTheWorkdir() throws Exception {
        Files.createSymbolicLink(workdir.resolve("out"), workdir.getRoot());
        try (StubService stub = StubService.always(FILE)) {
            for (String path : List.of("../a", "/tmp/a", "out/tmp/a")) {
                String args = "{'url': '" + stub.url() + "/1', 'savePath': '" + path + "'}";
                assertThat(code(stub, args)).as(path).isEqualTo("E_PATH_OUTSIDE_WORKDIR");
            }
            assertThat(code(stub, "{'url': '" + stub.url() + "/1', 'savePath': '.'}")).isEqualTo("EISDIR");
            assertThat(stub.seen()).as("it is not even fetched").isEmpty();
            assertThat(code(stub, "{'url': '" + stub.url() + "/1', 'maxBytes': 20000001}"))
                    .isEqualTo("E_TOOL_INVALID_ARGS");
        }
    }

    private String code(StubService stub, String args) throws Exception {
        try {
            return "answered " + SlackIT.slack(stub).call("downloadFile", args, FakeToolContext.in(workdir));
        } catch (ToolException e) {
            return e.code();
        }
    }
}
