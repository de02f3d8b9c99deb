package dev.toolfleet.worker.tools.telegram;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.json.Json;
import dev.toolfleet.testkit.ToolContract;
import dev.toolfleet.worker.runtime.builtin.DeclaredTool;
import dev.toolfleet.worker.tools.messaging.StubService;
import dev.toolfleet.worker.tools.messaging.StubService.Reply;
import dev.toolfleet.worker.tools.messaging.StubService.Seen;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// Requests and results, by the public documents of Telegram's Bot API.
@Isolated("the contract of a tool compares the threads and files of this JVM")
class TelegramIT {
    static final String TOKEN = "123456789:not-a-real_token-AAAAAAAA";
    private static final String MESSAGE = "{'ok': true, 'result': {'message_id': 42, 'date': 1700000000, 'text': 'hi',"
            + " 'chat': {'id': -100, 'type': 'supergroup', 'title': 't'}, 'a_field_of_tomorrow': [1]}}";
    private static final Reply TRUE = Reply.json("{'ok': true, 'result': true}");

    static DeclaredTool telegram(StubService stub) {
        return new DeclaredTool("telegram", new TelegramModule(Path.of("workspace"),
                Map.of("BOT_TOKEN", TOKEN, "TELEGRAM_API_BASE_URL", stub.url() + "/self/hosted/")));
    }

    @Test
    void itPassesTheContract() throws Exception {
        try (StubService stub = StubService.answering(TelegramIT::contract)) {
            String slow = "{'chatId': 'slow', 'messageId': 7, 'timeoutMs': 60000";
            String failing = "{'chatId': 'none', 'messageId': 7";
            ToolContract.of(() -> telegram(stub).module()).export("send").input("{'chatId': 1, 'text': 'x'}")
                    .slowInput("{'chatId': 'slow', 'text': 'x', 'timeoutMs': 60000}")
                    .failingInput("{'chatId': 'none', 'text': 'x'}").failingInput("{'chatId': 1.5, 'text': 'x'}")
                    .failingInput("{'chatId': 1, 'text': 'x', 'parseMode': 'rtf'}").export("edit")
                    .input("{'chatId': 1, 'messageId': 7, 'text': 'y'}").slowInput(slow + ", 'text': 'y'}")
                    .failingInput(failing + ", 'text': 'y'}").export("delete").input("{'chatId': 1, 'messageId': '7'}")
                    .slowInput(slow + "}").failingInput(failing + "}").failingInput("{'chatId': 1, 'messageId': 0}")
                    .export("react").input("{'chatId': 1, 'messageId': 7, 'clear': true}")
                    .slowInput(slow + ", 'clear': true}").failingInput("{'chatId': 1, 'messageId': 7}")
                    .export("setChatAction").input("{'chatId': 1}").slowInput("{'chatId': 'slow', 'timeoutMs': 60000}")
                    .failingInput("{'chatId': 1, 'action': 'dancing'}").export("downloadFile").input("{'fileId': 'f'}")
                    .slowInput("{'fileId': 'slow', 'timeoutMs': 60000}").failingInput("{'fileId': 'none'}").verify();
        }
    }

    @Test
    void sendPostsJsonToThePathWithTheToken() throws Exception {
        try (StubService stub = StubService.always(Reply.json(MESSAGE))) {
            ObjectNode result = telegram(stub).call("send", "{'chatId': -100, 'text': 'hi \u20ac'}");

            assertThat(result).isEqualTo(
                    json("{'ok': true, 'chatId': '-100', 'messageId': 42, 'date': 1700000000, 'text': 'hi'}"));
            Seen seen = stub.last();
            assertThat(seen.method()).isEqualTo("POST");
            assertThat(seen.path()).isEqualToIgnoringCase("/self/hosted/bot" + TOKEN + "/sendMessage").contains(TOKEN);
            assertThat(seen.header("Content-Type")).startsWith("application/json");
            assertThat(body(seen)).isEqualTo(json("{'chat_id': '-100', 'text': 'hi \u20ac'}"));

            telegram(stub).call("send", "{'chatId': '@channel', 'text': '<b>x</b>', 'parseMode': 'html',"
                    + " 'disableNotification': true, 'disableWebPagePreview': true, 'replyToMessageId': '17',"
                    + " 'allowSendingWithoutReply': true}");
            assertThat(body(stub.last())).isEqualTo(json("{'chat_id': '@channel', 'text': '<b>x</b>',"
                    + " 'parse_mode': 'HTML', 'disable_notification': true, 'link_preview_options':"
                    + " {'is_disabled': true}, 'reply_parameters': {'message_id': 17,"
                    + " 'allow_sending_without_reply': true}}"));
            assertThat(stub.seen()).hasSize(2);
        }
    }

    @Test
    void editReplacesTheTextAndSayingTheSameAgainIsFine() throws Exception {
        String args = "{'chatId': 'c', 'messageId': '7', 'text': 'y', 'parseMode': 'Markdown_V2',"
                + " 'disableWebPagePreview': false}";
        ObjectNode expected = json("{'ok': true, 'chatId': 'c', 'messageId': 7, 'edited': true}");
        try (StubService stub = StubService.always(Reply.json(MESSAGE))) {
            assertThat(telegram(stub).call("edit", args)).isEqualTo(expected);
            assertThat(stub.last().path()).endsWithIgnoringCase("/editMessageText");
            assertThat(body(stub.last())).isEqualTo(json("{'chat_id': 'c', 'message_id': 7, 'text': 'y',"
                    + " 'parse_mode': 'MarkdownV2', 'link_preview_options': {'is_disabled': false}}"));
        }
        try (StubService stub = StubService.always(Reply.json(400, "{'ok': false, 'error_code': 400, 'description':"
                + " 'Bad Request: message is not modified: specified new message content is the same'}"))) {
            assertThat(telegram(stub).call("edit", args)).isEqualTo(expected);
        }
    }

    @Test
    void deleteNamesTheMessage() throws Exception {
        try (StubService stub = StubService.always(TRUE)) {
            assertThat(telegram(stub).call("delete", "{'chatId': 'c', 'messageId': 7}"))
                    .isEqualTo(json("{'ok': true, 'chatId': 'c', 'messageId': 7, 'deleted': true}"));
            assertThat(stub.last().path()).endsWithIgnoringCase("/deleteMessage");
            assertThat(body(stub.last())).isEqualTo(json("{'chat_id': 'c', 'message_id': 7}"));
        }
    }

    @Test
    void reactSetsAllEmojiAtOnceOrNone() throws Exception {
        try (StubService stub = StubService.always(TRUE)) {
            ObjectNode result = telegram(stub).call("react",
                    "{'chatId': 'c', 'messageId': 7, 'emoji': ' A ', 'emojis': ['A', 'B'], 'isBig': true}");
            assertThat(result).isEqualTo(json("{'ok': true, 'chatId': 'c', 'messageId': 7, 'cleared': false,"
                    + " 'emojis': ['A', 'B'], 'reactionCount': 2}"));
            assertThat(stub.last().path()).endsWithIgnoringCase("/setMessageReaction");
            assertThat(body(stub.last())).isEqualTo(json("{'chat_id': 'c', 'message_id': 7, 'reaction':"
                    + " [{'type': 'emoji', 'emoji': 'A'}, {'type': 'emoji', 'emoji': 'B'}], 'is_big': true}"));

            assertThat(telegram(stub).call("react", "{'chatId': 'c', 'messageId': 7, 'emoji': 'A', 'clear': true}"))
                    .isEqualTo(json("{'ok': true, 'chatId': 'c', 'messageId': 7, 'cleared': true, 'emojis': [],"
                            + " 'reactionCount': 0}"));
            assertThat(body(stub.last())).isEqualTo(json("{'chat_id': 'c', 'message_id': 7, 'reaction': []}"));
            assertThat(telegram(stub).failure("react", "{'chatId': 'c', 'messageId': 7}"))
                    .hasMessageContaining("set 'clear=true'");
        }
    }

    @Test
    void setChatActionTakesWordsWithHyphens() throws Exception {
        try (StubService stub = StubService.always(TRUE)) {
            assertThat(telegram(stub).call("setChatAction", "{'chatId': 'c', 'action': 'record-video-note'}"))
                    .isEqualTo(json("{'ok': true, 'chatId': 'c', 'status': 'record-video-note',"
                            + " 'action': 'record_video_note'}"));
            assertThat(body(stub.last())).isEqualTo(json("{'chat_id': 'c', 'action': 'record_video_note'}"));
            telegram(stub).call("setChatAction", "{'chatId': 'c'}");
            assertThat(body(stub.last())).isEqualTo(json("{'chat_id': 'c', 'action': 'typing'}"));
        }
    }

    /// The library adds the method's name, which the API ignores there.
    private static ObjectNode body(Seen seen) {
        ObjectNode body = (ObjectNode) Json.MAPPER.readTree(seen.body());
        body.remove("method");
        return body;
    }

    private static Reply contract(Seen seen) {
        if (seen.body().contains("\"slow\""))
            return StubService.SILENCE;
        if (seen.body().contains("\"none\""))
            return Reply.json(400, "{'ok': false, 'error_code': 400, 'description': 'Bad Request: chat not found'}");
        if (seen.path().contains("/file/"))
            return new Reply(200, Map.of(), "data");
        String method = seen.path().substring(seen.path().lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        if (method.equals("getfile"))
            return Reply.json("{'ok': true, 'result': {'file_id': 'f', 'file_unique_id': 'u', 'file_path': 'a/b'}}");
        return Set.of("sendmessage", "editmessagetext").contains(method) ? Reply.json(MESSAGE) : TRUE;
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text.replace('\'', '"'));
    }
}
