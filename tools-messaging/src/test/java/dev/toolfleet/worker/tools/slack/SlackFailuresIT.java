package dev.toolfleet.worker.tools.slack;

import java.nio.file.Path;
import java.time.Duration;
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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/// Errors when Slack refuses, does not answer, or delays; none of them contains the token.
@Isolated("records every line that this JVM logs, at the level TRACE")
class SlackFailuresIT {
    private static final String SEND = "{'channelId': 'C1', 'text': 'x'}";
    private static final String EDIT = "{'channelId': 'C1', 'messageTs': '1.2', 'text': 'x'}";

    private final Leaks leaks = new Leaks(SlackIT.TOKEN);

    @AfterEach
    void theTokenWasNotLogged() {
        leaks.close();
        leaks.assertNothingLogged();
    }

    @ParameterizedTest
    @CsvSource({"send,'{''channelId'': ''C1'', ''text'': ''x''}',chat.postMessage",
            "read,{'channelId': 'C1'},conversations.history",
            "edit,'{''channelId'': ''C1'', ''messageTs'': ''1'', ''text'': ''x''}',chat.update",
            "delete,'{''channelId'': ''C1'', ''messageTs'': ''1''}',chat.delete",
            "react,'{''channelId'': ''C1'', ''messageTs'': ''1'', ''emoji'': ''a''}',reactions.add"})
    void whatSlackSaysNoToIsAnErrorOfEachExport(String export, String json, String method) throws Exception {
        try (StubService stub = StubService.always(Reply.json("{'ok': false, 'error': 'missing_scope', 'needed': 'a:b "
                + SlackIT.TOKEN + "'}"))) {
            ToolException e = failure(stub, export, json);
            assertThat(e.code()).isEqualTo("E_SLACK_FAILED");
            assertThat(e.getMessage())
                    .startsWith("[slack] " + method + " failed: missing_scope (needs a:b [REDACTED])");
            assertThat(e.suggestion()).contains("operator");
        }
    }

    @Test
    void silenceAfterAMessageWasSentIsNotKnowing() throws Exception {
        try (StubService stub = StubService.always(StubService.SILENCE)) {
            ToolException send = failure(stub, "send", "{'channelId': 'C1', 'text': 'x', 'timeoutMs': 5000}");
            assertThat(send.code()).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
            assertThat(send.getMessage()).startsWith(
                    "[slack] chat.postMessage request failed: Slack API request timed out after 5000ms");
            assertThat(send.suggestion()).contains("Read the channel");
            Awaitility.await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(stub.seen()).as("not sent again").hasSize(1));

            ToolException edit = failure(stub, "edit", EDIT.replace("}", ", 'timeoutMs': 300}"));
            assertThat(edit.code()).as("editing twice is editing once").isEqualTo("E_SLACK_TIMEOUT");
        }
    }

    @Test
    void theDeadlineOfTheCallBoundsTheTimeout() throws Exception {
        try (StubService stub = StubService.always(StubService.SILENCE);
                FakeToolContext ctx = FakeToolContext.in(Path.of(".")).deadlineIn(Duration.ofMillis(400))) {
            ToolException e = catchThrowableOfType(ToolException.class,
                    () -> SlackIT.slack(stub).call("edit", EDIT, ctx));
            assertThat(e.getMessage()).matches(".*timed out after [1-3]?\\d{1,2}ms");
        }
    }

    @Test
    void whatNeverLeftHasNoEffect() throws Exception {
        StubService gone = StubService.always(Reply.json("{}"));
        gone.close();
        ToolException e = failure(gone, "send", SEND);
        assertThat(e.code()).isEqualTo("E_SLACK_FAILED");
        assertThat(e.getMessage()).isEqualTo("[slack] chat.postMessage request failed: the connection failed");
    }

    @ParameterizedTest
    @CsvSource({"500,oops,E_TOOL_OUTCOME_UNKNOWN", "200,<html>,E_TOOL_OUTCOME_UNKNOWN", "404,gone,E_SLACK_FAILED",
            "200,{'ok': false; 'error': 'fatal_error'},E_TOOL_OUTCOME_UNKNOWN",
            "400,{'ok': false; 'error': 'no_text'},E_SLACK_FAILED", "302,,E_SLACK_FAILED"})
    void whetherAMessageMayHaveBeenSentIsTold(int status, String body, String code) throws Exception {
        String answer = body == null ? "" : body.replace(';', ',');
        try (StubService other = StubService.always(Reply.json("{'ok': true}"));
                StubService stub = StubService.always(Reply.json(status, answer).with("Location", other.url()))) {
            assertThat(failure(stub, "send", SEND).code()).isEqualTo(code);
            assertThat(stub.seen()).hasSize(1);
            assertThat(other.seen()).as("no redirect is followed with the token").isEmpty();
        }
    }

    @Test
    void slackMaySayLater() throws Exception {
        Deque<Reply> replies = new ArrayDeque<>(
                List.of(Reply.json(429, "{'ok': false, 'error': 'ratelimited'}").with("Retry-After", "1"),
                        Reply.json("{'ok': true, 'channel': 'C1', 'ts': '1.2'}")));
        try (StubService stub = StubService.answering(_ -> replies.remove())) {
            long start = System.nanoTime();
            assertThat(SlackIT.slack(stub).call("send", SEND).path("messageTs").asString()).isEqualTo("1.2");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
            assertThat(stub.seen()).hasSize(2);
        }
    }

    @Test
    void aWaitThatTheCallHasNoTimeForIsAnErrorThatNamesIt() throws Exception {
        try (StubService stub = StubService
                .always(new Reply(429, Map.of("Retry-After", "120"), "too many requests"))) {
            ToolException e = failure(stub, "send", SEND);
            assertThat(e.code()).isEqualTo("E_TOOL_RATE_LIMITED");
            assertThat(e.getMessage()).contains("chat.postMessage", "in 120 s", "no effect");
            assertThat(e.suggestion()).contains("120 s");
            assertThat(stub.seen()).hasSize(1);
        }
    }

    @Test
    void aChannelThatTheOperatorDoesNotAllowIsRefusedBeforeAnyRequest() throws Exception {
        try (StubService stub = StubService.always(Reply.json("{'ok': true, 'channel': 'C1', 'ts': '1.2'}"))) {
            DeclaredTool slack = SlackIT.slack(stub).configured("{'allowChannels': ['C1', '#general']}");
            String message = "'messageTs': '1.2', 'text': 'x', 'emoji': 'a'";
            for (String export : List.of("send", "read", "edit", "delete", "react")) {
                for (String other : List.of("C2", "c1", "general", "C1,C2", "@ann"))
                    assertThat(slack.failure(export, "{'channelId': '" + other + "', " + message + "}"))
                            .as(export + " " + other).satisfies(e -> {
                                assertThat(e.code()).isEqualTo("E_SLACK_CHANNEL_NOT_ALLOWED");
                                assertThat(e.getMessage()).contains("'" + other + "'", "allowChannels");
                            });
            }
            assertThat(stub.seen()).isEmpty();

            slack.call("send", "{'channelId': '#general', 'text': 'x'}");
            assertThat(stub.seen()).hasSize(1);
            assertThat(SlackIT.slack(stub).configured("{'allowChannels': []}").failure("send", SEND).code())
                    .as("an empty list allows none").isEqualTo("E_SLACK_CHANNEL_NOT_ALLOWED");
        }
    }

    @Test
    void withoutATokenNothingIsAskedAndTheVariablesAreNamed() throws Exception {
        try (StubService stub = StubService.always(Reply.json("{'ok': true}"))) {
            ToolException e = slack(Map.of("SLACK_API_BASE_URL", stub.url(), "SLACK_TOKEN", " ")).failure("send", SEND);
            assertThat(e.code()).isEqualTo("E_SLACK_NO_TOKEN");
            assertThat(e.getMessage()).contains("SLACK_BOT_TOKEN/SLACK_TOKEN/BRAIN_SLACK_BOT_TOKEN");
            ToolException bad = slack(Map.of("SLACK_API_BASE_URL", stub.url(), "SLACK_TOKEN", "a\nb")).failure("send",
                    SEND);
            assertThat(bad.code()).isEqualTo("E_SLACK_NO_TOKEN");
            assertThat(bad.getMessage()).doesNotContain("a\nb");
            assertThat(stub.seen()).isEmpty();
        }
    }

    private ToolException failure(StubService stub, String export, String json) throws Exception {
        ToolException e = SlackIT.slack(stub).failure(export, json);
        leaks.assertHidden(e);
        return e;
    }

    private static DeclaredTool slack(Map<String, String> env) {
        return new DeclaredTool("slack", new SlackModule(Path.of("workspace"), env));
    }
}
