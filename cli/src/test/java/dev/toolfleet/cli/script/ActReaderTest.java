package dev.toolfleet.cli.script;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import dev.toolfleet.cli.script.ScriptAct.Target;
import dev.toolfleet.cli.script.ScriptReader.ScriptException;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolError;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class ActReaderTest {
    private static final String CALLS = """
            {"name":"builds__start","id":"c1","instanceKey":"x"}
            {"name":"builds__start","id":"c1","instanceKey":"x","stepId":"step-2"}
            {"name":"builds__start","id":"c1","instanceKey":"y"}
            """;

    @Test
    void aBareIdNamesTheNearestCallBeforeTheLine() throws ScriptException {
        assertThat(targetLine(CALLS + "{\"type\":\"cancel\",\"toolCallId\":\"c1\"}")).isEqualTo(3);
        assertThat(targetLine(CALLS + "{\"type\":\"cancel\",\"toolCallId\":\"c1\",\"instanceKey\":\"x\"}"))
                .isEqualTo(2);
        assertThat(targetLine(
                CALLS + "{\"type\":\"cancel\",\"toolCallId\":\"c1\",\"instanceKey\":\"x\",\"stepId\":\"step-1\"}"))
                .isEqualTo(1);
        assertThat(targetLine("{\"name\":\"a\",\"id\":\"c1\"}\n{\"type\":\"cancel\",\"toolCallId\":\"c1\"}\n"
                + "{\"name\":\"a\",\"id\":\"c1\",\"stepId\":\"step-2\"}")).as("not one that comes later").isEqualTo(1);
    }

    @Test
    void everyKindOfCompletionIsRead() throws ScriptException {
        List<ScriptAct> acts = read(CALLS + """
                {"type":"completion","toolCallId":"c1","kind":"completed","output":{"jar":"a.jar"},"token":"secret"}
                {"type":"completion","toolCallId":"c1","kind":"failed","error":{"code":"E_X","message":"no"}}
                {"type":"completion","toolCallId":"c1","kind":"failed","error":"no"}
                {"type":"completion","handle":"h-1","kind":"cancelled"}
                {"type":"completion","toolCallId":"c1","kind":"progress","progress":{"percent":50,"message":"half"}}
                {"type":"completion","toolCallId":"c1","kind":"progress","progress":50}
                """);

        assertThat(acts).map(act -> ((ScriptAct.Complete) act).of("h")).containsExactly(
                Completion.completed("h", Json.MAPPER.createObjectNode().put("jar", "a.jar"), "secret"),
                Completion.failed("h", new ToolError("E_X", null, "no", null, null), null),
                Completion.failed("h", new ToolError("E_TOOL", null, "no", null, null), null),
                Completion.cancelled("h", null, null),
                Completion.progress("h", new Progress(50.0, "half"), null),
                Completion.progress("h", new Progress(50.0, null), null));
        assertThat(acts.get(3).target()).isEqualTo(new Target.OfHandle("h-1"));
    }

    @Test
    void aDecisionSaysWhoAndWhy() throws ScriptException {
        List<ScriptAct> acts = read(CALLS + """
                {"type":"decision","toolCallId":"c1","decision":"approve","by":"ann","reason":"fine"}
                {"type":"decision","toolCallId":"c1","instanceKey":"x","decision":"reject"}
                """);

        assertThat(acts).map(act -> ((ScriptAct.Decide) act).of("h")).containsExactly(
                Decision.approve("h", "ann", "fine"), Decision.reject("h", "script", null));
        assertThat(acts).map(act -> ((Target.OfCall) act.target()).call().line()).containsExactly(3, 2);
    }

    @Test
    void aDecisionThatIsNoneNamesItsLine() {
        ScriptException e = catchThrowableOfType(ScriptException.class, () -> read(CALLS + """
                {"type":"decision","toolCallId":"c1"}
                {"type":"decision","toolCallId":"c1","decision":"maybe"}
                {"type":"decision","toolCallId":"c9","decision":"approve"}
                {"type":"decision","decision":"approve"}
                {"type":"decision","toolCallId":"c1","decision":"approve","by":7}
                {"type":"decision","toolCallId":"c1","decision":"approve","by":"%s"}
                """.formatted("b".repeat(300))));

        assertThat(e.problems()).containsExactly(
                "line 4: 'decision' is missing; it is \"approve\" or \"reject\"",
                "line 5: 'decision' is \"maybe\"; it is \"approve\" or \"reject\"",
                "line 6: no call before this line has toolCallId 'c9'",
                "line 7: 'toolCallId' or 'handle' is missing: which call is meant?",
                "line 8: 'by' is 7; it is a text",
                "line 9: 'by' has 300 characters; at most 200 are kept");
    }

    @Test
    void aCancellationNamesItsCallAsPreciselyAsItCan() throws ScriptException {
        ScriptAct.Cancel cancel = (ScriptAct.Cancel) read(CALLS
                + "{\"type\":\"cancel\",\"toolCallId\":\"c1\",\"afterMs\":200,\"reason\":\"late\"}").getFirst();
        assertThat(cancel.after()).isEqualTo(Duration.ofMillis(200));
        assertThat(cancel.of(((Target.OfCall) cancel.target()).call().call(), null)).isEqualTo(
                new CancelCall("y", "c1", "step-1", null, "script", "late", "coder", "turn-1"));
    }

    @Test
    void aCancellationWithoutACallMeansTheStep() throws ScriptException {
        ScriptAct.Cancel cancel = (ScriptAct.Cancel) read(CALLS + "{\"type\":\"cancel\",\"stepId\":\"step-2\"}")
                .getFirst();

        assertThat(cancel.of(((Target.OfCall) cancel.target()).call().call(), null))
                .isEqualTo(new CancelCall("x", null, "step-2", null, "script", null, "coder", "turn-1"));
    }

    @Test
    void whatIsWrongNamesItsLineAndItsValue() {
        ScriptException e = catchThrowableOfType(ScriptException.class, () -> read(CALLS + """
                {"type":"completion","kind":"completed"}
                {"type":"completion","toolCallId":"c1","handle":"h","kind":"completed"}
                {"type":"completion","toolCallId":"c9","instanceKey":"x","kind":"completed"}
                {"type":"completion","toolCallId":"c1","kind":"finished"}
                {"type":"completion","toolCallId":"c1","kind":"completed","error":"no"}
                {"type":"completion","toolCallId":"c1","kind":"progress","progress":400}
                {"type":"cancel","toolCallId":"c1","afterMs":-1}
                {"type":"cancel","toolCallId":"c1","afterMs":"soon"}
                {"type":"cancel"}
                {"type":"cancel","handle":"h","when":"sent"}
                {"type":"cancel","toolCallId":"c1","when":"later"}
                """));

        assertThat(e.problems()).hasSize(11);
        assertThat(e.problems().getLast())
                .isEqualTo("line 14: 'when' is \"later\"; it is \"sent\" or \"pending\"");
        assertThat(e.problems().get(0)).isEqualTo("line 4: 'toolCallId' or 'handle' is missing: which call is meant?");
        assertThat(e.problems().get(1)).isEqualTo("line 5: 'toolCallId' and 'handle' exclude each other");
        assertThat(e.problems().get(2))
                .isEqualTo("line 6: no call before this line has toolCallId 'c9', instanceKey 'x'");
        assertThat(e.problems().get(3)).startsWith("line 7: ").contains("finished");
        assertThat(e.problems().get(4)).isEqualTo("line 8: 'error' does not go with kind 'completed'");
        assertThat(e.problems().get(5)).isEqualTo("line 9: 'progress.percent' is 400.0; it goes from 0 to 100");
        assertThat(e.problems().get(6)).startsWith("line 10: 'afterMs' is -1;");
        assertThat(e.problems().get(7)).startsWith("line 11: 'afterMs' is \"soon\";");
        assertThat(e.problems().get(8)).startsWith("line 12: 'toolCallId' or 'handle' is missing");
    }

    private static int targetLine(String script) throws ScriptException {
        return ((Target.OfCall) read(script).getFirst().target()).call().line();
    }

    private static List<ScriptAct> read(String script) throws ScriptException {
        return ScriptReader.read(script.getBytes(StandardCharsets.UTF_8), new DefaultAgent.Named("coder")).acts();
    }
}
