package dev.toolfleet.worker.tools.slack;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import dev.toolfleet.testkit.ToolContract;
import dev.toolfleet.tool.TokenAnswer;
import dev.toolfleet.tool.ToolException;
import dev.toolfleet.worker.runtime.builtin.DeclaredTool;
import dev.toolfleet.worker.tools.messaging.StubService;
import dev.toolfleet.worker.tools.messaging.StubService.Reply;
import dev.toolfleet.worker.tools.messaging.StubService.Seen;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Requests and results, by the public documents of Slack's Web API.
@Isolated("the contract of a tool compares the threads and files of this JVM")
class SlackIT {
    static final String TOKEN = "xoxb-1111111111-not-a-real-token";

    static DeclaredTool slack(StubService stub) {
        return new DeclaredTool("slack",
                new SlackModule(Path.of("workspace"),
                        Map.of("SLACK_BOT_TOKEN", TOKEN + "\n", "SLACK_API_BASE_URL", stub.url() + "/api/")));
    }

    @Test
    void itPassesTheContract() throws Exception {
        try (StubService stub = StubService.answering(SlackIT::contract)) {
            String message = "{'channelId': 'C1', 'messageTs': '1.2', ";
            String slow = "{'channelId': 'slow', 'messageTs': '1.2', 'timeoutMs': 60000";
            String failing = "{'channelId': 'none', 'messageTs': '1.2'";
            ToolContract.of(() -> slack(stub).module()).export("send").input("{'channelId': 'C1', 'text': 'x'}")
                    .slowInput("{'channelId': 'slow', 'text': 'x', 'timeoutMs': 60000}")
                    .failingInput("{'channelId': 'none', 'text': 'x'}").failingInput("{'channelId': 'C1', 'text': ''}")
                    .failingInput("{'channelId': 'C1', 'text': 'x', 'timeoutMs': 0}").export("read")
                    .input("{'channelId': 'C1'}").slowInput("{'channelId': 'slow', 'timeoutMs': 60000}")
                    .failingInput("{'channelId': 'C1', 'limit': 0}").export("edit").input(message + "'text': 'y'}")
                    .slowInput(slow + ", 'text': 'y'}").failingInput(failing + ", 'text': 'y'}").export("delete")
                    .input("{'channelId': 'C1', 'messageTs': '1.2'}").slowInput(slow + "}").failingInput(failing + "}")
                    .export("react").input(message + "'emoji': 'a'}").slowInput(slow + ", 'emoji': 'a'}")
                    .failingInput(failing + "}").export("downloadFile")
                    .input("{'url': '" + stub.url() + "/files/a', 'savePath': 'd/a'}")
                    .slowInput("{'url': '" + stub.url() + "/files/slow', 'timeoutMs': 60000}")
                    .failingInput("{'url': 'https://example.com/a'}").failingInput("{'url': 'x'}").verify();
        }
    }

    @Test
    void sendPostsAFormWithWhatTheCallSays() throws Exception {
        try (StubService stub = StubService.always(Reply.json(
                "{'ok': true, 'channel': 'C1', 'ts': '1503435956.000247', 'message': {'text': 'hi &amp; bye'}}"))) {
            ObjectNode result = slack(stub).call("send", "{'channelId': '#general', 'text': 'hi & bye \u20ac'}");

            assertThat(result).isEqualTo(json("{'ok': true, 'channelId': 'C1', 'messageTs': '1503435956.000247',"
                    + " 'text': 'hi &amp; bye'}"));
            Seen seen = stub.last();
            assertThat(seen.method()).isEqualTo("POST");
            assertThat(seen.path()).isEqualTo("/api/chat.postMessage");
            assertThat(seen.header("Authorization")).isEqualTo("Bearer " + TOKEN);
            assertThat(seen.header("Content-Type")).isEqualTo("application/x-www-form-urlencoded");
            assertThat(seen.form()).isEqualTo(Map.of("channel", "#general", "text", "hi & bye \u20ac"));

            slack(stub).call("send", "{'channelId': 'C1', 'text': 'x', 'threadTs': '1.2', 'mrkdwn': false,"
                    + " 'unfurlLinks': false, 'unfurlMedia': true, 'replyBroadcast': true}");
            assertThat(stub.last().form()).isEqualTo(Map.of("channel", "C1", "text", "x", "thread_ts", "1.2", "mrkdwn",
                    "false", "unfurl_links", "false", "unfurl_media", "true", "reply_broadcast", "true"));
            assertThat(stub.seen()).hasSize(2);
        }
    }

    @Test
    void actsAsItsUserWithThatPersonsToken() throws Exception {
        try (StubService stub = StubService.always(Reply.json("{'ok': true, 'channel': 'C1', 'ts': '1.2'}"))) {
            SlackModule module = new SlackModule(Path.of("workspace"),
                    Map.of("SLACK_BOT_TOKEN", TOKEN, "SLACK_API_BASE_URL", stub.url() + "/api/"));
            DeclaredTool slack = new DeclaredTool("slack", module).configured("{'asUser': true}");
            assertThat(slack.failure("send", "{'channelId': 'C1', 'text': 'x'}").code())
                    .isEqualTo("E_SLACK_UNAUTHORIZED");

            module.tokens((context, minTtl, scopes) -> new TokenAnswer.Ready("xoxp-ann", "user", null, List.of()));
            slack.call("send", "{'channelId': 'C1', 'text': 'x'}");
            assertThat(stub.last().header("Authorization")).isEqualTo("Bearer xoxp-ann");

            module.tokens((context, minTtl, scopes) -> new TokenAnswer.Required("as-1", "https://x.example/a", null,
                    Instant.EPOCH, "Open it."));
            assertThat(slack.failure("send", "{'channelId': 'C1', 'text': 'x'}")).hasMessageContaining(
                    "https://x.example/a");
            assertThat(stub.seen()).hasSize(1);
        }
        assertThatThrownBy(() -> new DeclaredTool("slack", new SlackModule(Path.of("workspace"), Map.of()))
                .configured("{'asUser': true, 'token': {'valueFrom': {'env': 'SLACK_BOT_TOKEN'}}}"))
                .hasMessageContaining("leave one out");
    }

    @Test
    void readAsksForAChannelAThreadOrOneMessage() throws Exception {
        String answer = "{'ok': true, 'messages': [{'ts': '1.2', 'text': 'x', 'new_field': {'a': 1}}], 'has_more': true,"
                + " 'response_metadata': {'next_cursor': 'bmV4dA=='}}";
        try (StubService stub = StubService.always(Reply.json(answer))) {
            ObjectNode result = slack(stub).call("read", "{'channelId': 'C1'}");
            assertThat(result).isEqualTo(json("{'ok': true, 'channelId': 'C1', 'method': 'conversations.history',"
                    + " 'messageTs': null, 'threadTs': null, 'count': 1, 'found': null,"
                    + " 'messages': [{'ts': '1.2', 'text': 'x', 'new_field': {'a': 1}}], 'hasMore': true,"
                    + " 'nextCursor': 'bmV4dA=='}"));
            assertThat(stub.last().path()).isEqualTo("/api/conversations.history");
            assertThat(stub.last().form()).isEqualTo(Map.of("channel", "C1", "limit", "20"));

            assertThat(slack(stub).call("read", "{'channelId': 'C1', 'messageTs': '1.2'}").path("found").path("text")
                    .asString()).isEqualTo("x");
            assertThat(stub.last().form())
                    .isEqualTo(Map.of("channel", "C1", "latest", "1.2", "inclusive", "true", "limit", "1"));

            assertThat(slack(stub).call("read", "{'channelId': 'C1', 'threadTs': '1.0', 'messageTs': '1.3'}")
                    .path("found").isNull()).isTrue();
            assertThat(stub.last().path()).isEqualTo("/api/conversations.replies");
            assertThat(stub.last().form()).isEqualTo(Map.of("channel", "C1", "ts", "1.0", "latest", "1.3", "oldest",
                    "1.3", "inclusive", "true", "limit", "2"));

            slack(stub).call("read", "{'channelId': 'C1', 'latest': '9.0', 'oldest': '1.0', 'inclusive': false,"
                    + " 'limit': 1000, 'cursor': 'c'}");
            assertThat(stub.last().form()).isEqualTo(Map.of("channel", "C1", "latest", "9.0", "oldest", "1.0",
                    "inclusive", "false", "limit", "1000", "cursor", "c"));
            assertThat(slack(stub).failure("read", "{'channelId': 'C1', 'limit': 1001}"))
                    .hasMessage("'limit' must be between 1 and 1000");
        }
    }

    @Test
    void editAndDeleteNameTheMessage() throws Exception {
        try (StubService stub = StubService.always(Reply.json("{'ok': true}"))) {
            assertThat(slack(stub).call("edit", "{'channelId': 'C1', 'messageTs': '1.2', 'text': 'y', 'mrkdwn': true}"))
                    .isEqualTo(json("{'ok': true, 'channelId': 'C1', 'messageTs': '1.2', 'edited': true}"));
            assertThat(stub.last().path()).isEqualTo("/api/chat.update");
            assertThat(stub.last().form())
                    .isEqualTo(Map.of("channel", "C1", "ts", "1.2", "text", "y", "mrkdwn", "true"));

            assertThat(slack(stub).call("delete", "{'channelId': 'C1', 'messageTs': '1.2'}"))
                    .isEqualTo(json("{'ok': true, 'channelId': 'C1', 'messageTs': '1.2', 'deleted': true}"));
            assertThat(stub.last().path()).isEqualTo("/api/chat.delete");
            assertThat(stub.last().form()).isEqualTo(Map.of("channel", "C1", "ts", "1.2"));
        }
    }

    @Test
    void reactAddsEachEmojiOnceAndOneThatIsThereCounts() throws Exception {
        Deque<Reply> replies = new ArrayDeque<>(List.of(Reply.json("{'ok': true}"),
                Reply.json("{'ok': false, 'error': 'already_reacted'}")));
        try (StubService stub = StubService.answering(_ -> replies.remove())) {
            assertThat(slack(stub).call("react",
                    "{'channelId': 'C1', 'messageTs': '1.2', 'emoji': ':tada:', 'emojis': ['tada', ' eyes ']}"))
                    .isEqualTo(json("{'ok': true, 'channelId': 'C1', 'messageTs': '1.2', 'emojis': ['tada', 'eyes'],"
                            + " 'reactionCount': 2}"));
            assertThat(stub.seen()).extracting(Seen::path).containsOnly("/api/reactions.add");
            assertThat(stub.seen()).extracting(Seen::form).containsExactly(
                    Map.of("channel", "C1", "timestamp", "1.2", "name", "tada"),
                    Map.of("channel", "C1", "timestamp", "1.2", "name", "eyes"));
        }
    }

    @Test
    void aReactionThatFailsHalfwaySaysWhatIsThere() throws Exception {
        Deque<Reply> replies = new ArrayDeque<>(List.of(Reply.json("{'ok': true}"),
                Reply.json("{'ok': false, 'error': 'invalid_name'}")));
        try (StubService stub = StubService.answering(_ -> replies.remove())) {
            ToolException e = slack(stub).failure("react",
                    "{'channelId': 'C1', 'messageTs': '1.2', 'emojis': ['a', 'b', 'c']}");
            assertThat(e).hasMessage("[slack] reactions.add failed: invalid_name (emoji 'b'; added before it: a;"
                    + " not tried: c)");
            assertThat(e.code()).isEqualTo("E_SLACK_FAILED");
            assertThat(e.suggestion()).contains("emoji");
            assertThat(stub.seen()).hasSize(2);
        }
    }

    private static Reply contract(Seen seen) {
        if (seen.path().endsWith("slow") || seen.body().contains("channel=slow"))
            return StubService.SILENCE;
        if (seen.body().contains("channel=none"))
            return Reply.json("{'ok': false, 'error': 'channel_not_found'}");
        return Reply.json("{'ok': true, 'channel': 'C1', 'ts': '1.2', 'messages': []}");
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text.replace('\'', '"'));
    }
}
