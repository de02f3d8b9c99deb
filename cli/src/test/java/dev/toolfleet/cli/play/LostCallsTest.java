package dev.toolfleet.cli.play;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.script.DefaultAgent;
import dev.toolfleet.cli.script.RunScript;
import dev.toolfleet.cli.script.ScriptCall;
import dev.toolfleet.cli.script.ScriptReader;
import dev.toolfleet.cli.script.ScriptReader.ScriptException;
import dev.toolfleet.cli.script.StepSchedule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LostCallsTest {
    private final Map<ScriptCall, String> open = new LinkedHashMap<>();
    private List<ScriptCall> calls = List.of();
    private RunScript script = new RunScript(List.of(), List.of());
    private LostCalls hopes = new LostCalls(new StepSchedule(script), open);

    @BeforeEach
    void begin() throws ScriptException {
        script = ScriptReader.read("""
                {"name":"a","instanceKey":"x"}
                {"name":"b","instanceKey":"x","stepId":"step-2"}
                {"name":"c","instanceKey":"x","stepId":"step-3"}
                {"name":"d","instanceKey":"y"}
                """.getBytes(StandardCharsets.UTF_8), new DefaultAgent.Named("coder"));
        calls = script.calls();
        calls.forEach(call -> open.put(call, "open"));
        StepSchedule schedule = new StepSchedule(script);
        schedule.first();
        hopes = new LostCalls(schedule, open);
    }

    @Test
    void aCallThatWasNotSentTakesTheRestOfItsInstanceWithIt() {
        hopes.callFailed(calls.getFirst(), "too large");

        assertThat(hopes.lost()).isEqualTo(3);
        assertThat(open.get(calls.get(0))).contains("too large");
        assertThat(open.get(calls.get(2))).contains("was not sent").contains("call-1");
        assertThat(open.get(calls.get(3))).isEqualTo("open");
    }

    @Test
    void aStepThatFailedTakesTheRestOfItsInstanceWithIt() {
        hopes.stepFailed(script.steps().getFirst(), "no such agent");

        assertThat(hopes.lost()).isEqualTo(3);
        assertThat(open.get(calls.get(0))).contains("no such agent");
        assertThat(open.get(calls.get(1))).contains("step-1 failed");
    }

    @Test
    void aPendingCallThatFailsLosesNothingElse() {
        assertThat(hopes.answered(calls.getFirst())).isPresent();
        hopes.callFailed(calls.getFirst(), "timed out");

        assertThat(hopes.lost()).isEqualTo(1);
    }
}
