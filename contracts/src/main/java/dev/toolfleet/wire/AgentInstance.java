package dev.toolfleet.wire;

import java.time.Instant;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// An instance of an agent that another one spawned, or that its runtime announces, on `agent.instance` by
/// `agent/instanceKey`. A tombstone says that it is gone.
///
/// @param owner who spawned it; absent for one that belongs to nobody and that the agents of its conversation may address,
/// and those of others where the Swarm says `crossInstance`
/// @param cwd the folder in which its tools work, relative to the workspace root, with `/` between names; absent for a
///        folder of its own
/// @param status how far it is
/// @param spawnedAt when it was announced
/// @param runtime who runs it, as that runtime calls itself
/// @param userId whose conversation it is, as far as somebody said
/// @param channelId on which channel that user is
public record AgentInstance(String agent, String instanceKey, @Nullable AgentAddress owner, @Nullable String cwd,
        Status status, Instant spawnedAt, @Nullable String runtime, @Nullable String userId,
        @Nullable String channelId) {
    /// Checks that the instance can be named.
    public AgentInstance {
        requireNonNull(agent, "agent");
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(status, "status");
        requireNonNull(spawnedAt, "spawnedAt");
    }

    /// An instance of which nobody knows whose conversation it is.
    public AgentInstance(String agent, String instanceKey, @Nullable AgentAddress owner, @Nullable String cwd,
            Status status, Instant spawnedAt, @Nullable String runtime) {
        this(agent, instanceKey, owner, cwd, status, spawnedAt, runtime, null, null);
    }

    /// The record's key.
    public String key() {
        return agent + "/" + instanceKey;
    }

    /// Where it gets its events.
    public AgentAddress address() {
        return new AgentAddress(agent, instanceKey);
    }

    /// How far an instance is.
    public enum Status {
        /// Announced by its owner; its runtime has yet to start it.
        @JsonProperty("spawned")
        SPAWNED,
        /// Its runtime has started it.
        @JsonProperty("running")
        RUNNING,
        /// A status of a later version, as which every one is read that this version does not know. Never written.
        @JsonEnumDefaultValue
        @JsonProperty("unknown")
        UNKNOWN
    }
}
