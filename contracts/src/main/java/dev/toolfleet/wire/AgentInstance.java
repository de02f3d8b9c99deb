package dev.toolfleet.wire;

import java.time.Instant;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Instance of an agent, announced by the agent that spawned it or by its runtime, on `agent.instance` by
/// `agent/instanceKey`. A tombstone means that it is gone.
///
/// @param owner the agent that spawned it. Absent without an owner: then the agents of its conversation may address it,
///        and those of others where the Swarm has `crossInstance`
/// @param cwd the folder in which its tools work, relative to the workspace root, with `/` between names; absent for a
///        folder of its own
/// @param status its state
/// @param spawnedAt the time of its announcement
/// @param runtime the runtime that runs it, by its own name
/// @param userId the user of its conversation, if known
/// @param channelId the channel of that user
public record AgentInstance(String agent, String instanceKey, @Nullable AgentAddress owner, @Nullable String cwd,
        Status status, Instant spawnedAt, @Nullable String runtime, @Nullable String userId,
        @Nullable String channelId) {
    /// Checks that key and state are present.
    public AgentInstance {
        requireNonNull(agent, "agent");
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(status, "status");
        requireNonNull(spawnedAt, "spawnedAt");
    }

    /// Makes an instance without a known user.
    public AgentInstance(String agent, String instanceKey, @Nullable AgentAddress owner, @Nullable String cwd,
            Status status, Instant spawnedAt, @Nullable String runtime) {
        this(agent, instanceKey, owner, cwd, status, spawnedAt, runtime, null, null);
    }

    /// Returns the record's key.
    public String key() {
        return agent + "/" + instanceKey;
    }

    /// Returns the address for its events.
    public AgentAddress address() {
        return new AgentAddress(agent, instanceKey);
    }

    /// State of an instance.
    public enum Status {
        /// Announced by its owner; its runtime has not started it yet.
        @JsonProperty("spawned")
        SPAWNED,
        /// Its runtime has started it.
        @JsonProperty("running")
        RUNNING,
        /// A status of a later version. Every status that this version does not know is read as this. Never written.
        @JsonEnumDefaultValue
        @JsonProperty("unknown")
        UNKNOWN
    }
}
