package dev.toolfleet.bundle;

import java.util.List;

import tools.jackson.databind.node.ObjectNode;

/// What the fleet needs to know of a Swarm.
///
/// @param entryAgent who gets what nobody else is addressed with; v0.8 calls it `entrypoint`
/// @param crossInstance whether its agents may address instances of other conversations than their own
public record SwarmSpec(String name, Ref entryAgent, List<Ref> agents, boolean crossInstance) {
    /// Reads a resource of kind `Swarm`.
    ///
    /// @throws InvalidResourceException when it is none, or a field has the wrong shape
    public static SwarmSpec of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, Kinds.SWARM);
        String entry = !spec.get("entryAgent").present() && spec.get("entrypoint").present()
                ? "entrypoint"
                : "entryAgent";
        return new SwarmSpec(ResourceJson.name(resource), spec.get(entry).ref(),
                spec.get("agents").list(ResourceJson::ref), spec.get("crossInstance").flag());
    }
}
