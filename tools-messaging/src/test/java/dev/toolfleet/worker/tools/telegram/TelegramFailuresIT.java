package dev.toolfleet.worker.tools.telegram;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.runtime.builtin.DeclaredTool;
import dev.toolfleet.worker.tools.messaging.Leaks;
import dev.toolfleet.worker.tools.messaging.StubService;
import dev.toolfleet.worker.tools.messaging.StubService.Reply;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Errors when Telegram refuses, does not answer, or delays; none of them contains the token, which is a part of every
/// URL.
@Isolated("records every line that this JVM logs, at the level TRACE")
class TelegramFailuresIT {
    private static final String SEND = "{'chatId': 'c', 'text': 'x'}";

    private final Leaks leaks = new Leaks(TelegramIT.TOKEN);

    @AfterEach
    void theTokenWasNotLogged() {
        leaks.close();
        leaks.assertNothingLogged();
    }

    @ParameterizedTest
    @CsvSource({"send,'{''chatId'': 1, ''text'': ''x''}',sendMessage",
            "edit,'{''chatId'': 1, ''messageId'': 1, ''text'': ''x''}',editMessageText",
            "delete,'{''chatId'': 1, ''messageId'': 1}',deleteMessage",
            "react,'{''chatId'': 1, ''messageId'': 1, ''emoji'': ''a''}',setMessageReaction",
            "setChatAction,{'chatId': 1},sendChatAction", "downloadFile,{'fileId': 'f'},getFile"})
    void whatTelegramSaysNoToIsAnErrorOfEachExport(String export, String json, String method) throws Exception {
        try (StubService stub = StubService.always(Reply.json(400, "{'ok': false, 'error_code': 400, 'description':"
                + " 'Bad Request: chat not found bot" + TelegramIT.TOKEN + "'}"))) {
            ToolException e = failure(stub, export, json);
            assertThat(e.code()).isEqualTo("E_TELEGRAM_FAILED");
            assertThat(e).hasMessage(
                    "[telegram] " + method + " failed (code 400): Bad Request: chat not found bot[REDACTED]");
            assertThat(e.suggestion()).contains("chatId");
        }
    }

    @Test
    void aGroupThatMovedSaysWhereTo() throws Exception {
        try (StubService stub = StubService.always(Reply.json(400, "{'ok': false, 'error_code': 400, 'description':"
                + " 'Bad Request: group chat was upgraded', 'parameters': {'migrate_to_chat_id': -1001234567890}}"))) {
            assertThat(failure(stub, "send", SEND).suggestion()).contains("-1001234567890");
        }
    }

    @Test
    void silenceAfterAMessageWasSentIsNotKnowing() throws Exception {
        try (StubService stub = StubService.always(StubService.SILENCE)) {
            ToolException send = failure(stub, "send", "{'chatId': 'c', 'text': 'x', 'timeoutMs': 5000}");
            assertThat(send.code()).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
            assertThat(send.getMessage()).startsWith(
                    "[telegram] sendMessage request failed: Telegram API request timed out after 5000ms");
            assertThat(send.suggestion()).contains("Ask the user");
            Awaitility.await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(stub.seen()).as("not sent again").hasSize(1));

            assertThat(failure(stub, "delete", "{'chatId': 'c', 'messageId': 7, 'timeoutMs': 300}").code())
                    .isEqualTo("E_TELEGRAM_TIMEOUT");
        }
    }

    @ParameterizedTest
    @CsvSource({"502,<html>,E_TOOL_OUTCOME_UNKNOWN", "200,{'ok': true},E_TOOL_OUTCOME_UNKNOWN",
            "200,{'ok': true; 'result': 'what'},E_TOOL_OUTCOME_UNKNOWN",
            "500,{'ok': false; 'error_code': 500; 'description': 'Internal'},E_TOOL_OUTCOME_UNKNOWN",
            "403,{'ok': false; 'error_code': 403; 'description': 'Forbidden'},E_TELEGRAM_FAILED",
            "302,,E_TELEGRAM_FAILED", "404,<html>,E_TELEGRAM_FAILED"})
    void whetherAMessageMayHaveBeenSentIsTold(int status, String body, String code) throws Exception {
        String answer = body == null ? "" : body.replace(';', ',');
        try (StubService other = StubService.always(Reply.json("{'ok': true}"));
                StubService stub = StubService.always(Reply.json(status, answer).with("Location", other.url()))) {
            assertThat(failure(stub, "send", SEND).code()).isEqualTo(code);
            assertThat(stub.seen()).hasSize(1);
            assertThat(other.seen()).as("no redirect is followed").isEmpty();
        }
    }

    @Test
    void whatNeverLeftHasNoEffect() throws Exception {
        StubService gone = StubService.always(Reply.json("{}"));
        gone.close();
        ToolException e = failure(gone, "send", SEND);
        assertThat(e.code()).isEqualTo("E_TELEGRAM_FAILED");
        assertThat(e).hasMessage("[telegram] sendMessage request failed: the connection failed");
    }

    @Test
    void telegramMaySayLaterInItsAnswer() throws Exception {
        Reply later = Reply.json(429, "{'ok': false, 'error_code': 429, 'description': 'Too Many Requests: retry after"
                + " 1', 'parameters': {'retry_after': 1}}");
        Deque<Reply> replies = new ArrayDeque<>(List.of(later, Reply.json("{'ok': true, 'result': true}")));
        try (StubService stub = StubService.answering(_ -> replies.remove())) {
            long start = System.nanoTime();
            TelegramIT.telegram(stub).call("setChatAction", "{'chatId': 'c'}");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
            assertThat(stub.seen()).hasSize(2);
        }
    }

    @Test
    void aWaitThatTheCallHasNoTimeForIsAnErrorThatNamesIt() throws Exception {
        try (StubService stub = StubService.always(Reply.json(429, "{'ok': false, 'error_code': 429, 'description':"
                + " 'Too Many Requests', 'parameters': {'retry_after': 300}}"))) {
            ToolException e = failure(stub, "send", SEND);
            assertThat(e.code()).isEqualTo("E_TOOL_RATE_LIMITED");
            assertThat(e.getMessage()).contains("sendMessage", "in 300 s", "no effect");
            assertThat(stub.seen()).hasSize(1);
        }
    }

    @Test
    void aChatThatTheOperatorDoesNotAllowIsRefusedBeforeAnyRequest() throws Exception {
        try (StubService stub = StubService.always(Reply.json("{'ok': true, 'result': true}"))) {
            DeclaredTool telegram = TelegramIT.telegram(stub).configured("{'allowChats': [-100123, '@news']}");
            String message = "'messageId': 7, 'text': 'x', 'emoji': 'a'";
            for (String export : List.of("send", "edit", "delete", "react", "setChatAction")) {
                for (String other : List.of("123", "'-100124'", "'@News'", "'-0100123'", "'news'"))
                    assertThat(telegram.failure(export, "{'chatId': " + other + ", " + message + "}").code())
                            .as(export + " " + other).isEqualTo("E_TELEGRAM_CHAT_NOT_ALLOWED");
            }
            assertThat(stub.seen()).isEmpty();

            for (String allowed : List.of("-100123", "'-100123'", "' -100123 '", "'@news'"))
                telegram.call("setChatAction", "{'chatId': " + allowed + "}");
            assertThat(stub.seen()).hasSize(4);
        }
    }

    @Test
    void withoutATokenTheVariablesAreNamed() throws Exception {
        ToolException e = new DeclaredTool("telegram", new TelegramModule(Path.of("workspace"), Map.of()))
                .failure("send", SEND);
        assertThat(e.code()).isEqualTo("E_TELEGRAM_NO_TOKEN");
        assertThat(e.getMessage())
                .contains("TELEGRAM_BOT_TOKEN/BOT_TOKEN/TELEGRAM_TOKEN/BRAIN_TELEGRAM_BOT_TOKEN");
    }

    private ToolException failure(StubService stub, String export, String json) throws Exception {
        ToolException e = TelegramIT.telegram(stub).failure(export, json);
        leaks.assertHidden(e);
        return e;
    }
}
