package dev.toolfleet.wire;

import java.time.Instant;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// An instance of an agent that another one spawned, or that its runtime announces, on `agent.instance` by
/// `agent/instanceKey`. A tombstone says that it is gone.
///
/// @param owner who spawned it; absent for one that belongs to nobody and that every agent of its swarm may address
/// @param cwd the folder in which its tools work, relative to the workspace root, with `/` between names; absent for a
///        folder of its own
/// @param status how far it is
/// @param spawnedAt when it was announced
/// @param runtime who runs it, as that runtime calls itself
public record AgentInstance(String agent, String instanceKey, @Nullable AgentAddress owner, @Nullable String cwd,
        Status status, Instant spawnedAt, @Nullable String runtime) {
    /// Checks that the instance can be named.
    public AgentInstance {
        requireNonNull(agent, "agent");
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(status, "status");
        requireNonNull(spawnedAt, "spawnedAt");
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
        RUNNING
    }
}
