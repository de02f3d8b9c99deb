package dev.toolfleet.wire;

import static java.util.Objects.requireNonNull;

/// One agent in one conversation: who sends an [AgentEvent], and who gets it.
///
/// @param agent the Agent's name
/// @param instanceKey the conversation
public record AgentAddress(String agent, String instanceKey) {
    /// Checks that both are named.
    public AgentAddress {
        requireNonNull(agent, "agent");
        requireNonNull(instanceKey, "instanceKey");
    }

    /// As people and models read it.
    @Override
    public String toString() {
        return agent + "@" + instanceKey;
    }
}
