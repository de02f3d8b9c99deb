package dev.toolfleet.cli.script;

import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.toolfleet.cli.script.ScriptReader.ScriptException;
import dev.toolfleet.wire.ToolCall;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class ScriptReaderTest {
    private static final DefaultAgent CODER = new DefaultAgent.Named("coder");

    @Test
    void whatACallLeavesOutIsFilledIn() throws ScriptException {
        ToolCall call = only("""

                # a comment
                {"name":"bash__exec"}
                """);

        assertThat(call.id()).isEqualTo("call-3");
        assertThat(call.instanceKey()).isEqualTo("default");
        assertThat(call.agentName()).isEqualTo("coder");
        assertThat(call.turnId()).isEqualTo("turn-1");
        assertThat(call.stepId()).isEqualTo("step-1");
        assertThat(call.args()).isEmpty();
    }

    @Test
    void whatACallSaysStays() throws ScriptException {
        ToolCall call = only("""
                {"type":"call","id":"x","name":"n","args":{"a":1},"instanceKey":"i","agentName":"other","turnId":"t",\
                "stepId":"s","stepIndex":4,"userId":"u"}""");

        assertThat(call.id()).isEqualTo("x");
        assertThat(call.agentName()).isEqualTo("other");
        assertThat(call.turnId()).isEqualTo("t");
        assertThat(call.stepId()).isEqualTo("s");
        assertThat(call.stepIndex()).isEqualTo(4);
        assertThat(call.userId()).isEqualTo("u");
        assertThat(call.args().path("a").asInt()).isEqualTo(1);
    }

    @Test
    void theAliasesOfArgumentsAreRead() throws ScriptException {
        assertThat(only("{\"name\":\"n\",\"arguments\":\"{\\\"a\\\":2}\"}").args().path("a").asInt()).isEqualTo(2);
        assertThat(only("{\"name\":\"n\",\"input\":{\"a\":3}}").args().path("a").asInt()).isEqualTo(3);
    }

    @Test
    void aStepGoesOnUntilTheInstanceNamesAnother() throws ScriptException {
        RunScript script = read("""
                {"name":"a","instanceKey":"x"}
                {"name":"b","instanceKey":"x","stepId":"step-2"}
                {"name":"c","instanceKey":"y"}
                {"name":"d","instanceKey":"x"}
                """);

        assertThat(script.steps()).extracting(ScriptReaderTest::text).containsExactly("x/step-1: a", "x/step-2: b d",
                "y/step-1: c");
    }

    @Test
    void equalStepsAreOneWhereverTheirCallsStand() throws ScriptException {
        RunScript script = read("""
                {"name":"a","stepId":"one"}
                {"name":"b","stepId":"two"}
                {"name":"c","stepId":"one"}
                """);

        assertThat(script.steps()).extracting(ScriptReaderTest::text).containsExactly("default/one: a c",
                "default/two: b");
    }

    @Test
    void agentAndTurnTellStepsApart() throws ScriptException {
        RunScript script = read("""
                {"name":"a"}
                {"name":"b","agentName":"other"}
                {"name":"c","turnId":"turn-2"}
                """);

        assertThat(script.steps()).hasSize(3);
    }

    @Test
    void everyWrongLineIsNamed() {
        ScriptException e = failure("""
                {"name":"a"}
                {"name":
                [1]
                {"args":{}}
                {"type":"sleep"}
                {"name":"x","stepIndex":"two"}
                """);

        assertThat(e.problems()).hasSize(5);
        assertThat(e.problems().get(0)).startsWith("line 2: not JSON");
        assertThat(e.problems().get(1)).startsWith("line 3: a JSON object expected");
        assertThat(e.problems().get(2)).isEqualTo("line 4: 'name' is missing");
        assertThat(e.problems().get(3)).startsWith("line 5: type \"sleep\" is not supported");
        assertThat(e.problems().get(4)).startsWith("line 6: 'stepIndex' must be a whole number");
    }

    @Test
    void manyProblemsAreCutShort() {
        assertThat(failure("x\n".repeat(50)).problems()).hasSize(21).last().isEqualTo("and 30 more lines");
    }

    @Test
    void aCallWithoutAnyAgentSaysWhy() {
        ScriptException e = catchThrowableOfType(ScriptException.class,
                () -> ScriptReader.read(bytes("{\"name\":\"a\"}"), new DefaultAgent.Unknown("there are three")));

        assertThat(e.problems()).containsExactly("line 1: agentName is missing: there are three");
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheScript() throws ScriptException {
        assertThat(only("\uFEFF{\"name\":\"a\"}").name()).isEqualTo("a");
    }

    @Test
    void whatIsNotUtf8IsRefused() {
        ScriptException e = catchThrowableOfType(ScriptException.class,
                () -> ScriptReader.read(new byte[]{(byte) 0xff, (byte) 0xfe}, CODER));

        assertThat(e.problems()).containsExactly("the script is not UTF-8 text");
    }

    @Test
    void anEmptyScriptHasNoSteps() throws ScriptException {
        assertThat(read("# nothing\n\n").steps()).isEmpty();
    }

    @Test
    void theDefaultAgentIsTheOptionThenTheEntryThenTheOnlyOne() {
        List<String> two = List.of("a", "b");

        assertThat(DefaultAgent.of("o", List.of("e"), two)).isEqualTo(new DefaultAgent.Named("o"));
        assertThat(DefaultAgent.of(null, List.of("e"), two)).isEqualTo(new DefaultAgent.Named("e"));
        assertThat(DefaultAgent.of(null, List.of("e", "e"), two)).isEqualTo(new DefaultAgent.Named("e"));
        assertThat(DefaultAgent.of(null, List.of(), List.of("a"))).isEqualTo(new DefaultAgent.Named("a"));
        assertThat(DefaultAgent.of(null, List.of(), two)).isInstanceOf(DefaultAgent.Unknown.class);
        assertThat(DefaultAgent.of(null, List.of("e", "f"), two)).isInstanceOf(DefaultAgent.Unknown.class);
        assertThat(DefaultAgent.of(null, List.of(), List.of())).isInstanceOf(DefaultAgent.Unknown.class);
    }

    private static ToolCall only(String script) throws ScriptException {
        List<ScriptCall> calls = read(script).calls();
        assertThat(calls).hasSize(1);
        return calls.getFirst().call();
    }

    private static RunScript read(String script) throws ScriptException {
        return ScriptReader.read(bytes(script), CODER);
    }

    private static ScriptException failure(String script) {
        return catchThrowableOfType(ScriptException.class, () -> read(script));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(ScriptStep step) {
        return step.instanceKey() + "/" + step.stepId() + ": "
                + String.join(" ", step.calls().stream().map(call -> call.call().name()).toList());
    }
}
