package dev.toolfleet.gateway.access;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import io.javalin.http.Context;

/// Caller of the gateway, with its rights.
///
/// @param name letters, digits, `.`, `_` and `-`; empty for the caller of a gateway without principals
/// @param scopes its rights
/// @param agents the agents for which it may act
/// @param instances the instances in which it may act
/// @param userId the person for whom its calls are made; empty for none
/// @param channelId the channel of that person; empty for none
/// @param speaksForOthers true if a request may name another user, channel or decider
/// @param callbacks the addresses to which results of its calls may go
public record Principal(String name, Set<Scope> scopes, Names agents, Names instances, Optional<String> userId,
        Optional<String> channelId, boolean speaksForOthers, Callbacks callbacks) {
    /// The caller of a gateway without principals: everything on this machine.
    public static final Principal LOCAL = new Principal("", EnumSet.allOf(Scope.class), Names.ALL, Names.ALL,
            Optional.empty(), Optional.empty(), true, Callbacks.ALL);
    private static final String ATTRIBUTE = "toolfleet.principal";

    /// Copies the scopes.
    public Principal {
        scopes = Set.copyOf(scopes);
    }

    /// Returns the principal of an admitted request that has this right.
    ///
    /// @throws ProblemException when it lacks the right
    public static Principal of(Context ctx, Scope needed) {
        Principal principal = ctx.attribute(ATTRIBUTE);
        if (principal == null)
            throw new IllegalStateException("the request was not admitted");
        if (!principal.scopes.contains(needed)) {
            throw new ProblemException(Problem.of(ProblemType.FORBIDDEN, "The principal '" + principal.name
                    + "' lacks the scope " + needed.text() + ". Add it to gateway.principals." + principal.name
                    + ".scopes."));
        }
        return principal;
    }

    /// Returns the principal of an admitted request that has one of these rights.
    ///
    /// @throws ProblemException when it lacks both; it names the first
    public static Principal of(Context ctx, Scope needed, Scope other) {
        Principal principal = ctx.attribute(ATTRIBUTE);
        return principal != null && principal.scopes.contains(other) ? principal : of(ctx, needed);
    }

    /// Makes it the principal of a request.
    void admit(Context ctx) {
        ctx.attribute(ATTRIBUTE, this);
    }

    /// True if it may act for this agent in this instance.
    ///
    /// @param agent empty for a call without agent
    public boolean mayUse(String instanceKey, String agent) {
        return instances.contain(instanceKey) && agents.contain(agent);
    }

    /// True if it may act for this agent in some instance.
    public boolean mayUseAgent(String agent) {
        return agents.contain(agent);
    }

    /// Checks that it may use all agents and all instances.
    ///
    /// @param what the things that it reads, which belong to all of them
    /// @throws ProblemException when it may not
    public void checkUnrestricted(String what) {
        if (!agents.areAll() || !instances.areAll()) {
            throw new ProblemException(Problem.of(ProblemType.FORBIDDEN, "The principal '" + name + "' may not read "
                    + what + ": they are of all agents and instances, and gateway.principals." + name
                    + ".agents and .instances name some. Use a principal without them."));
        }
    }

    /// Checks that it may act in this instance, for some agent.
    ///
    /// @throws ProblemException when it may not
    public void checkInstance(String instanceKey) {
        if (!instances.contain(instanceKey)) {
            throw new ProblemException(Problem.of(ProblemType.FORBIDDEN, "The principal '" + name
                    + "' may not read instance '" + instanceKey + "'. gateway.principals." + name
                    + ".instances has the names that it may use."));
        }
    }

    /// Checks that it may act for this agent in this instance.
    ///
    /// @throws ProblemException when it may not
    public void checkUse(String instanceKey, String agent) {
        if (!mayUse(instanceKey, agent)) {
            throw new ProblemException(Problem.of(ProblemType.FORBIDDEN, "The principal '" + name
                    + "' may not act for agent '" + agent + "' in instance '" + instanceKey
                    + "'. gateway.principals." + name + ".agents and .instances have the names that it may use."));
        }
    }
}
