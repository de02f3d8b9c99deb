package dev.toolfleet.wire;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/// What an agent runtime says about a step, on `agent.step`.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({@JsonSubTypes.Type(value = StepStarted.class, name = "started"),
        @JsonSubTypes.Type(value = StepEnded.class, name = "ended")})
public sealed interface StepEvent permits StepStarted, StepEnded {
    /// The instance; the record's key.
    String instanceKey();

    /// The agent that takes the step.
    String agentName();

    /// The step's turn.
    String turnId();

    /// The step.
    String stepId();
}
