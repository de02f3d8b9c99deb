package dev.toolfleet.worker.agents;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.toolfleet.bundle.InvalidResourceException;
import dev.toolfleet.bundle.Kinds;
import dev.toolfleet.bundle.Ref;
import dev.toolfleet.bundle.SwarmSpec;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentInstance;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Agents of the fleet, with their swarms and announced instances.
///
/// @param catchUp waits until everything announced before is read
record AgentRoster(Supplier<FleetResources> resources, AgentInstances instances, CatchUp catchUp) {
    /// Wait for the announcements.
    @FunctionalInterface
    public interface CatchUp {
        /// Waits until everything announced before this call is read.
        ///
        /// @return whether all of it is; false if a part lies behind an open transaction of another writer
        /// @throws IllegalStateException if it cannot be read now
        boolean await() throws InterruptedException;
    }

    boolean declares(String agent) {
        return resources.get().agent(agent).isPresent();
    }

    /// Returns the swarms that list an agent, by name.
    List<SwarmSpec> swarmsOf(String agent) {
        return resources.get().bundles().values().stream()
                .flatMap(bundle -> bundle.ofKind(Kinds.SWARM).stream())
                .flatMap(record -> swarm(record.resource()).stream())
                .filter(swarm -> members(swarm).contains(agent)).toList();
    }

    private static Optional<SwarmSpec> swarm(ObjectNode resource) {
        try {
            return Optional.of(SwarmSpec.of(resource));
        } catch (InvalidResourceException e) {
            // An invalid Swarm lists no agent.
            return Optional.empty();
        }
    }

    static List<String> members(SwarmSpec swarm) {
        return swarm.agents().stream().filter(ref -> ref.kind().equals(Kinds.AGENT)).map(Ref::name).distinct()
                .toList();
    }

    /// Returns all agents of an agent's swarms.
    List<String> colleagues(String agent) {
        return swarmsOf(agent).stream().flatMap(swarm -> members(swarm).stream()).distinct().toList();
    }

    /// True if a Swarm that lists both lets its agents address other conversations.
    boolean mayCross(String agent, String target) {
        return swarmsOf(agent).stream().anyMatch(swarm -> swarm.crossInstance() && members(swarm).contains(target));
    }

    @Nullable
    AgentInstance find(AgentAddress address) {
        return instances.find(address);
    }
}
