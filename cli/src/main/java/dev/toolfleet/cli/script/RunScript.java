package dev.toolfleet.cli.script;

import java.util.List;

/// What `toolfleet run` plays.
///
/// @param steps in the order in which their first calls stand in the script
public record RunScript(List<ScriptStep> steps) {
    /// Copies the steps.
    public RunScript {
        steps = List.copyOf(steps);
    }

    /// All calls, step by step.
    public List<ScriptCall> calls() {
        return steps.stream().flatMap(step -> step.calls().stream()).toList();
    }
}
