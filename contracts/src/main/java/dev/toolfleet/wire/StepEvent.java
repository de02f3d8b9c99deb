package dev.toolfleet.wire;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/// Event of an agent runtime about a step, on `agent.step`.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({@JsonSubTypes.Type(value = StepStarted.class, name = "started"),
        @JsonSubTypes.Type(value = StepEnded.class, name = "ended")})
public sealed interface StepEvent permits StepStarted, StepEnded {
    /// Returns the instance; the record's key.
    String instanceKey();

    /// Returns the agent that takes the step.
    String agentName();

    /// Returns the step's turn.
    String turnId();

    /// Returns the step.
    String stepId();
}
