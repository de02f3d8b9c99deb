package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Start of a step: the catalog service answers with the tools that its model may see and call.
///
/// @param hints free facts for step middlewares
public record StepStarted(String instanceKey, String agentName, String turnId, String stepId,
        @Nullable Integer stepIndex, @Nullable String userId, @Nullable String channelId, @Nullable ObjectNode hints)
        implements
            StepEvent {

    /// Checks that the step can be named.
    public StepStarted {
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(agentName, "agentName");
        requireNonNull(turnId, "turnId");
        requireNonNull(stepId, "stepId");
    }
}
