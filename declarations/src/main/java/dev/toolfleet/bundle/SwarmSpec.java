package dev.toolfleet.bundle;

import java.util.List;

import tools.jackson.databind.node.ObjectNode;

/// View of a Swarm for the fleet.
///
/// @param entryAgent the agent that gets events without an addressee; v0.8 calls it `entrypoint`
/// @param crossInstance true if its agents may address instances of other conversations
/// @param changesets what its agents may change of their bundle, from `policy.changesets`
public record SwarmSpec(String name, Ref entryAgent, List<Ref> agents, boolean crossInstance,
        ChangesetTerms changesets) {
    /// Reads a resource of kind `Swarm`.
    ///
    /// @throws InvalidResourceException when it is no Swarm, or a field has the wrong shape
    public static SwarmSpec of(ObjectNode resource) {
        ResourceJson spec = ResourceJson.spec(resource, Kinds.SWARM);
        String entry = !spec.get("entryAgent").present() && spec.get("entrypoint").present()
                ? "entrypoint"
                : "entryAgent";
        return new SwarmSpec(ResourceJson.name(resource), spec.get(entry).ref(),
                spec.get("agents").list(ResourceJson::ref), spec.get("crossInstance").flag(),
                ChangesetTerms.of(spec.get("policy").get("changesets")));
    }
}
