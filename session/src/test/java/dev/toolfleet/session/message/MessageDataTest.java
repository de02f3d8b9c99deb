package dev.toolfleet.session.message;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.session.transcript.Call;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.transcript.Role;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class MessageDataTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @ParameterizedTest
    @ValueSource(strings = {"{'role':'user','content':'hello'}",
            "{'role':'assistant','content':[{'type':'text','text':'a'},{'type':'tool-call','toolCallId':'c','toolName':'t','input':{'x':1}}]}",
            "{'role':'assistant','content':[{'type':'tool-call','toolCallId':'c','toolName':'t','input':{}}]}",
            "{'role':'tool','content':[{'type':'tool-result','toolCallId':'c','toolName':'t','output':{'type':'json','value':{'x':1}}}]}",
            "{'role':'tool','content':[{'type':'tool-result','toolCallId':'c','toolName':'t','output':{'type':'error-text','value':'no'}}]}",
            "{'role':'system','content':'rules'}"})
    void dataComesBackFromItsEntry(String json) {
        JsonNode data = Json.MAPPER.readTree(json.replace('\'', '"'));
        List<Entry> entries = MessageData.entries(message(data));
        assertThat(MessageData.data(entries.getFirst())).isEqualTo(data);
    }

    @Test
    void callsAndResultsAreRead() {
        Entry calling = MessageData.entries(message(json("{'role':'assistant','content':[{'type':'tool-call',"
                + "'toolCallId':'c','toolName':'t','args':{'x':1}}]}"))).getFirst();
        assertThat(calling.calls()).containsExactly(new Call("c", "t", json("{'x':1}")));
        List<Entry> results = MessageData.entries(message(json("{'role':'tool','content':["
                + "{'type':'tool-result','toolCallId':'a','output':'1'},"
                + "{'type':'tool-result','toolCallId':'b','isError':true,'result':'2'}]}")));
        assertThat(results).extracting(Entry::id).containsExactly("m", "m#2");
        assertThat(results).extracting(Entry::toolCallId).containsExactly("a", "b");
        assertThat(results.getLast().metadata().path(Entry.IS_ERROR).asBoolean()).isTrue();
    }

    @Test
    void olderFormOfAResultIsRead() {
        Entry result = MessageData
                .entries(message(json("{'role':'tool','toolCallId':'c','toolName':'t','output':null}")))
                .getFirst();
        assertThat(result.toolCallId()).isEqualTo("c");
        assertThat(result.role()).isEqualTo(Role.TOOL);
        assertThat(result.isBlank()).isTrue();
    }

    @Test
    void errorTextHasALineForEachPresentValue() {
        ToolError error = new ToolError("E_TOOL_INVALID_ARGS", null, "path is missing", "Add path.", null);
        assertThat(value(ResultMessages.answer("[1]", 1, result(ResultStatus.ERROR, null, error, null), NOW)))
                .isEqualTo("""
                ERROR: path is missing
                CODE: E_TOOL_INVALID_ARGS
                SUGGESTION: Add path.
                ACTION: Fix arguments to match the tool schema, then call this tool again.""");
    }

    @Test
    void aNoticeStandsBehindOutputAndError() {
        ToolError error = new ToolError("E_X", null, "no", null, null);
        ToolResult failed = result(ResultStatus.ERROR, null, error, null).noticed("10 times.");
        ToolResult done = result(ResultStatus.OK, json("{'jar':'a'}"), null, null).noticed("10 times.");

        assertThat(value(ResultMessages.answer("[1]", 1, failed, NOW)))
                .isEqualTo("ERROR: no\nCODE: E_X\nNOTICE: 10 times.");
        SessionMessage answer = ResultMessages.answer("[1]", 1, done, NOW);
        assertThat(value(answer)).isEqualTo("{\"jar\":\"a\"}\nNOTICE: 10 times.");
        assertThat(answer.data().path("content").path(0).path("output").path("type").asString()).isEqualTo("text");
        assertThat(ResultMessages.news("[1]", done, NOW).data().path("content").asString())
                .endsWith("{\"jar\":\"a\"}\nNOTICE: 10 times.");
    }

    @Test
    void pendingAnswerNamesTheHandleAndNewsStandOnTheirOwn() {
        SessionMessage pending = ResultMessages.answer("[1]", 1,
                result(ResultStatus.PENDING, json("{'message':'started'}"), null, "h-1"), NOW);
        assertThat(value(pending)).startsWith("{\"message\":\"started\"}\nStarted, handle h-1.");
        SessionMessage news = ResultMessages.news("[1]", result(ResultStatus.OK, json("{'jar':'a'}"), null, "h-1"),
                NOW);
        assertThat(news.data().path("role").asString()).isEqualTo("user");
        assertThat(news.data().path("content").asString())
                .isEqualTo("[tool result] t, handle h-1, called in step s: ok\n{\"jar\":\"a\"}");
        assertThat(news.source().extensionName()).isEqualTo("toolfleet");
        assertThat(news.id()).isEqualTo(pending.id().replaceAll("-1$", "-2"));
    }

    @Test
    void callsOwnMessageIsUsedWhenItHoldsTheCall() {
        JsonNode own = json("{'role':'assistant','content':[{'type':'tool-call','toolCallId':'c','toolName':'t'}]}");
        ToolCall call = new ToolCall("c", "t", json("{'x':1}"), "i", "a", "u", "s", null, null, null, null, own, null,
                null,
                null);
        ToolResult result = result(ResultStatus.OK, null, null, null);
        assertThat(ResultMessages.call("[1]", result, call, NOW).data()).isEqualTo(own);
        JsonNode made = ResultMessages.call("[1]", result, call.with(json("{'x':2}"), null).bare(), NOW).data();
        assertThat(made.toString()).isEqualTo("{\"role\":\"assistant\",\"content\":[{\"type\":\"tool-call\","
                + "\"toolCallId\":\"c\",\"toolName\":\"t\",\"input\":{}}]}");
    }

    private static String value(SessionMessage message) {
        return message.data().path("content").path(0).path("output").path("value").asString("");
    }

    private static ToolResult result(ResultStatus status, @Nullable JsonNode output, @Nullable ToolError error,
            @Nullable String handle) {
        return new ToolResult("c", "t", status, output, handle, error, "i", "a", "u", "s", 1, false, null, 0, null,
                null);
    }

    private static SessionMessage message(JsonNode data) {
        return new SessionMessage("m", data, null, NOW, MessageSource.of(MessageSource.Type.UNKNOWN));
    }

    private static JsonNode json(String text) {
        return Json.MAPPER.readTree(text.replace('\'', '"'));
    }
}
