package dev.toolfleet.wire;

import static java.util.Objects.requireNonNull;

/// Address of an agent in one conversation: sender or target of an [AgentEvent].
///
/// @param agent the Agent's name
/// @param instanceKey the conversation
public record AgentAddress(String agent, String instanceKey) {
    /// Checks that both are present.
    public AgentAddress {
        requireNonNull(agent, "agent");
        requireNonNull(instanceKey, "instanceKey");
    }

    /// Returns the form for people and models.
    @Override
    public String toString() {
        return agent + "@" + instanceKey;
    }
}
