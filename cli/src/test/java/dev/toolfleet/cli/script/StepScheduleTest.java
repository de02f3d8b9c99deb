package dev.toolfleet.cli.script;

import java.nio.charset.StandardCharsets;

import dev.toolfleet.cli.script.ScriptReader.ScriptException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StepScheduleTest {
    @Test
    void everyInstanceStartsWithItsFirstStep() throws ScriptException {
        StepSchedule schedule = schedule("""
                {"name":"a","instanceKey":"x"}
                {"name":"b","instanceKey":"x","stepId":"step-2"}
                {"name":"c","instanceKey":"y"}
                """);

        assertThat(schedule.first()).extracting(ScriptStep::instanceKey).containsExactly("x", "y");
    }

    @Test
    void theNextStepStartsWhenEveryCallHasAResult() throws ScriptException {
        StepSchedule schedule = schedule("""
                {"name":"a"}
                {"name":"b"}
                {"name":"c","stepId":"step-2"}
                """);
        schedule.first();

        assertThat(schedule.answered("default")).isEmpty();
        assertThat(schedule.answered("default")).get().extracting(ScriptStep::stepId).isEqualTo("step-2");
        assertThat(schedule.answered("default")).isEmpty();
    }

    @Test
    void oneInstanceDoesNotWaitForAnother() throws ScriptException {
        StepSchedule schedule = schedule("""
                {"name":"a","instanceKey":"x"}
                {"name":"b","instanceKey":"x","stepId":"step-2"}
                {"name":"c","instanceKey":"y"}
                """);
        schedule.first();

        assertThat(schedule.answered("x")).isPresent();
    }

    @Test
    void aResultThatNobodyWaitsForIsAFault() throws ScriptException {
        StepSchedule schedule = schedule("{\"name\":\"a\"}");
        schedule.first();
        schedule.answered("default");

        assertThatThrownBy(() -> schedule.answered("default")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anAbandonedInstanceStartsNothingMore() throws ScriptException {
        StepSchedule schedule = schedule("""
                {"name":"a","instanceKey":"x"}
                {"name":"b","instanceKey":"x","stepId":"step-2"}
                {"name":"c","instanceKey":"x","stepId":"step-3"}
                {"name":"d","instanceKey":"y"}
                """);
        schedule.first();

        assertThat(schedule.abandon("x")).extracting(ScriptStep::stepId).containsExactly("step-2", "step-3");
        assertThat(schedule.abandon("x")).isEmpty();
        assertThat(schedule.answered("x")).isEmpty();
    }

    private static StepSchedule schedule(String script) throws ScriptException {
        return new StepSchedule(
                ScriptReader.read(script.getBytes(StandardCharsets.UTF_8), new DefaultAgent.Named("coder")));
    }
}
