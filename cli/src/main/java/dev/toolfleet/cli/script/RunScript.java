package dev.toolfleet.cli.script;

import java.util.List;

/// Script of `toolfleet run`.
///
/// @param steps in the order in which their first calls stand in the script
/// @param acts in the order of the script
public record RunScript(List<ScriptStep> steps, List<ScriptAct> acts) {
    /// Copies both.
    public RunScript {
        steps = List.copyOf(steps);
        acts = List.copyOf(acts);
    }

    /// All calls, step by step.
    public List<ScriptCall> calls() {
        return steps.stream().flatMap(step -> step.calls().stream()).toList();
    }
}
