package dev.toolfleet.cli.play;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.cli.script.ScriptCall;
import dev.toolfleet.cli.script.ScriptStep;
import dev.toolfleet.cli.script.StepSchedule;

/// Which calls will never have their final result, so that the player does not wait for them: those that failed, and
/// those of the same instance that would have been sent after them. Not thread-safe.
final class LostCalls {
    private final StepSchedule schedule;
    private final Map<ScriptCall, String> open;
    private final Set<ScriptCall> answered = new HashSet<>();
    private final Set<ScriptCall> lost = new HashSet<>();

    /// @param open calls without their final result, with what is said of each; written here
    LostCalls(StepSchedule schedule, Map<ScriptCall, String> open) {
        this.schedule = schedule;
        this.open = open;
    }

    /// Number of open calls that are lost.
    int lost() {
        return lost.size();
    }

    /// Takes a call's first result.
    ///
    /// @return the step that starts now
    Optional<ScriptStep> answered(ScriptCall call) {
        answered.add(call);
        return schedule.answered(call.call().instanceKey());
    }

    void stepFailed(ScriptStep step, String reason) {
        step.calls().forEach(call -> lose(call, "was not sent: " + reason));
        abandon(step.instanceKey(), "its instance's step " + step.stepId() + " failed");
    }

    /// A call that was pending does not hold up its instance.
    void callFailed(ScriptCall call, String reason) {
        lose(call, "failed to travel: " + reason);
        if (!answered.contains(call))
            abandon(call.call().instanceKey(), call.call().id() + " before it has no result");
    }

    private void abandon(String instanceKey, String why) {
        schedule.abandon(instanceKey).forEach(step -> step.calls()
                .forEach(call -> lose(call, "was not sent, since " + why)));
    }

    private void lose(ScriptCall call, String what) {
        open.put(call, what);
        lost.add(call);
    }
}
