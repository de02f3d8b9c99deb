package dev.toolfleet.cli.script;

import java.util.List;

/// The calls that one step makes at once.
///
/// @param calls in the order of the script; at least one
public record ScriptStep(String instanceKey, String agentName, String turnId, String stepId, List<ScriptCall> calls) {
    /// Copies the calls.
    public ScriptStep {
        calls = List.copyOf(calls);
        if (calls.isEmpty())
            throw new IllegalArgumentException("a step without calls: " + stepId);
    }
}
