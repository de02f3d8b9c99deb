package dev.toolfleet.worker.tools.telegram;

import java.nio.file.Path;
import java.util.Map;

import dev.toolfleet.testkit.FakeToolContext;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.tools.messaging.Leaks;
import dev.toolfleet.worker.tools.messaging.StubService;
import dev.toolfleet.worker.tools.messaging.StubService.Reply;
import dev.toolfleet.worker.tools.messaging.StubService.Seen;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// A file's address holds the token: it is fetched from the API's own host, and never shown.
@Isolated("records every line that this JVM logs, at the level TRACE")
class TelegramDownloadIT {
    private static final Reply FILE = new Reply(200, Map.of("Content-Type", "image/png"), "hello");

    @TempDir
    Path workdir;

    @Test
    void aFileIsLookedUpFetchedAndSavedWithoutATraceOfTheToken() throws Exception {
        try (StubService stub = StubService.answering(seen -> answer(seen, "photos/file 0.png", 5, FILE));
                Leaks leaks = new Leaks(TelegramIT.TOKEN)) {
            ObjectNode result = TelegramIT.telegram(stub).call("downloadFile", "{'fileId': 'f1', 'savePath': 'p.png'}",
                    FakeToolContext.in(workdir));

            assertThat(stub.seen().getFirst().body()).contains("\"file_id\":\"f1\"");
            Seen fetched = stub.last();
            assertThat(fetched.method()).isEqualTo("GET");
            assertThat(fetched.path())
                    .isEqualTo("/self/hosted/file/bot" + TelegramIT.TOKEN + "/photos/file%200.png");
            assertThat(fetched.header("Authorization")).isNull();
            assertThat(result.propertyNames()).containsExactly("ok", "fileId", "fileUniqueId", "filePath", "fileSize",
                    "contentType", "sizeBytes", "savedPath", "inlined", "base64", "dataUrl");
            assertThat(result.path("fileUniqueId").asString()).isEqualTo("u");
            assertThat(result.path("filePath").asString()).isEqualTo("photos/file 0.png");
            assertThat(result.path("dataUrl").asString()).isEqualTo("data:image/png;base64,aGVsbG8=");
            assertThat(workdir.resolve("p.png")).hasContent("hello");
            assertThat(result.toString()).doesNotContain(TelegramIT.TOKEN);
            leaks.assertNothingLogged();
        }
    }

    @Test
    void aFileThatIsTooLargeIsNotFetchedOrNotToItsEnd() throws Exception {
        try (StubService said = StubService.answering(seen -> answer(seen, "a", 5, FILE));
                StubService unsaid = StubService
                        .answering(seen -> answer(seen, "a", null, FILE.with("X-Length", "unsaid")))) {
            for (StubService stub : new StubService[]{said, unsaid}) {
                ToolException e = TelegramIT.telegram(stub).failure("downloadFile", "{'fileId': 'f', 'maxBytes': 4}");
                assertThat(e.code()).isEqualTo("E_TELEGRAM_TOO_LARGE");
                assertThat(e).hasMessage("Telegram file exceeds maxBytes limit (5 > 4)");
            }
            assertThat(said.seen()).hasSize(1);
        }
    }

    @Test
    void aRedirectToAForeignHostIsNotFollowed() throws Exception {
        try (StubService foreign = StubService.always(FILE);
                StubService stub = StubService
                        .answering(seen -> answer(seen, "a", 5, Reply.redirect(foreign.url() + "/a")));
                Leaks leaks = new Leaks(TelegramIT.TOKEN)) {
            ToolException e = TelegramIT.telegram(stub).failure("downloadFile", "{'fileId': 'f'}");
            assertThat(e.code()).isEqualTo("E_TELEGRAM_REFUSED");
            leaks.assertHidden(e);
            assertThat(foreign.seen()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/var/lib/telegram/a", "../../bot1:x/getMe", "a/../../b"})
    void aPathThatLeadsAwayIsRefused(String path) throws Exception {
        try (StubService stub = StubService.answering(seen -> answer(seen, path, 5, FILE))) {
            assertThat(TelegramIT.telegram(stub).failure("downloadFile", "{'fileId': 'f'}").code())
                    .isEqualTo("E_TELEGRAM_FAILED");
            assertThat(stub.seen()).hasSize(1);
        }
    }

    @Test
    void aDownloadThatIsRefusedNamesTheStatusOnly() throws Exception {
        try (StubService stub = StubService.answering(seen -> answer(seen, "a", 5, new Reply(404, Map.of(), "")));
                Leaks leaks = new Leaks(TelegramIT.TOKEN)) {
            ToolException e = TelegramIT.telegram(stub).failure("downloadFile", "{'fileId': 'f'}");
            assertThat(e).hasMessage("[telegram] file download failed: HTTP 404 Not Found");
            leaks.assertHidden(e);
        }
    }

    private static Reply answer(Seen seen, String path, @Nullable Integer size, Reply file) {
        if (seen.path().contains("/file/"))
            return file;
        return Reply.json("{'ok': true, 'result': {'file_id': 'f1', 'file_unique_id': 'u', 'file_path': '" + path + "'"
                + (size == null ? "" : ", 'file_size': " + size) + "}}");
    }
}
