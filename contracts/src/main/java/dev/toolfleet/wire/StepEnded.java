package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// End of a step; its calls may still be queued.
public record StepEnded(String instanceKey, String agentName, String turnId, String stepId,
        @Nullable Integer stepIndex) implements StepEvent {

    /// Checks that the step can be named.
    public StepEnded {
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(agentName, "agentName");
        requireNonNull(turnId, "turnId");
        requireNonNull(stepId, "stepId");
    }
}
