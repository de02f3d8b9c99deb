package dev.toolfleet.bundle;

import java.util.List;

import tools.jackson.databind.node.ObjectNode;

/// What the fleet needs to know of a Swarm.
public record SwarmSpec(String name, Ref entryAgent, List<Ref> agents) {
    /// Reads a resource of kind `Swarm`.
    ///
    /// @throws InvalidResourceException when it is none, or a field has the wrong shape
    public static SwarmSpec of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, Kinds.SWARM);
        return new SwarmSpec(ResourceJson.name(resource), spec.get("entryAgent").ref(),
                spec.get("agents").list(ResourceJson::ref));
    }
}
