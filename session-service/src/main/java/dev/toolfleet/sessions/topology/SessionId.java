package dev.toolfleet.sessions.topology;

import org.jspecify.annotations.Nullable;

/// Identity of a session: an agent in a conversation.
///
/// @param instanceKey the conversation
/// @param agentName the agent; empty for calls that name none
record SessionId(String instanceKey, String agentName) {
    static SessionId of(String instanceKey, @Nullable String agentName) {
        return new SessionId(instanceKey, agentName == null ? "" : agentName);
    }

    /// The beginning of all keys of the session. The lengths keep `a/b` and `c` apart from `a` and `b/c`.
    String prefix() {
        return instanceKey.length() + ":" + instanceKey + agentName.length() + ":" + agentName + "/";
    }
}
