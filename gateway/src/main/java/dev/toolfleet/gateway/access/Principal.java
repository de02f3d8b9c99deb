package dev.toolfleet.gateway.access;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// Caller of the gateway, with its rights.
///
/// @param name letters, digits, `.`, `_`, `-` and `~`; differs from that of every other caller; empty for the callers of
///        a gateway without principals
/// @param entry its name in `gateway.principals`, which the subjects of an issuer share
/// @param scopes its rights
/// @param agents the agents for which it may act
/// @param instances the instances in which it may act
/// @param userId the person for whom its calls are made; empty for none
/// @param channelId the channel of that person; empty for none
/// @param speaksForOthers true if a request may name another user, channel or decider
/// @param callbacks the addresses to which results of its calls may go
public record Principal(String name, String entry, Set<Scope> scopes, Names agents, Names instances,
        Optional<String> userId, Optional<String> channelId, boolean speaksForOthers, Callbacks callbacks) {
    /// The caller of a gateway without principals: everything on this machine.
    public static final Principal LOCAL = new Principal("", "", EnumSet.allOf(Scope.class), Names.ALL, Names.ALL,
            Optional.empty(), Optional.empty(), true, Callbacks.ALL);

    /// The browser of a person who comes back from an authorization server: no rights at all.
    static final Principal BROWSER = new Principal("browser", "", EnumSet.noneOf(Scope.class), Names.ALL, Names.ALL,
            Optional.empty(), Optional.empty(), false, Callbacks.NONE);

    /// A browser at the gateway's pages that has not signed in: no rights at all.
    public static final Principal VISITOR = new Principal("~visitor", "", EnumSet.noneOf(Scope.class), Names.ALL,
            Names.ALL, Optional.empty(), Optional.empty(), false, Callbacks.NONE);

    /// Copies the scopes.
    public Principal {
        scopes = Set.copyOf(scopes);
    }

    /// Returns the principal of an admitted request that has this right.
    ///
    /// @throws ProblemException when it lacks the right
    public static Principal of(Context ctx, Scope needed) {
        Admitted admitted = Admitted.of(ctx);
        Principal principal = admitted.principal();
        if (!principal.scopes.contains(needed)) {
            admitted.lacks(ctx, needed);
            throw new ProblemException(Problem.of(ProblemType.FORBIDDEN, "The principal '" + principal.name
                    + "' lacks the scope " + needed.text() + ". Add it to " + principal.setting("scopes")
                    + ", and have the token issued with it if it is a JWT."));
        }
        return principal;
    }

    /// Returns the principal of an admitted request that has one of these rights.
    ///
    /// @throws ProblemException when it lacks both; it names the first
    public static Principal of(Context ctx, Scope needed, Scope other) {
        Principal principal = Admitted.of(ctx).principal();
        return principal.scopes.contains(other) ? principal : of(ctx, needed);
    }

    /// True if it has this right.
    public boolean has(Scope scope) {
        return scopes.contains(scope);
    }

    /// Returns the key of one of its settings, for messages.
    public String setting(String field) {
        return "gateway.principals." + entry + "." + field;
    }

    /// True if it may act for this agent in this instance.
    ///
    /// @param agent null or empty for a call without agent
    public boolean mayUse(String instanceKey, @Nullable String agent) {
        return instances.contain(instanceKey) && agents.contain(agent == null ? "" : agent);
    }

    /// True if it may act for this agent in some instance.
    public boolean mayUseAgent(String agent) {
        return agents.contain(agent);
    }

    /// True if it may use all agents and all instances.
    public boolean isUnrestricted() {
        return agents.areAll() && instances.areAll();
    }

    /// Checks that it may use all agents and all instances.
    ///
    /// @param what the things that it reads, which belong to all of them
    /// @throws ProblemException when it may not
    public void checkUnrestricted(String what) {
        if (!isUnrestricted()) {
            throw new ProblemException(Problem.of(ProblemType.FORBIDDEN, "The principal '" + name + "' may not read "
                    + what + ": they are of all agents and instances, and it may use some only. Use one that "
                    + setting("agents") + " and .instances, and the claims of a JWT, do not bound."));
        }
    }

    /// Checks that it may act in this instance, for some agent.
    ///
    /// @throws ProblemException when it may not
    public void checkInstance(String instanceKey) {
        if (!instances.contain(instanceKey)) {
            throw new ProblemException(Problem.of(ProblemType.FORBIDDEN, "The principal '" + name
                    + "' may not read instance '" + instanceKey + "'. " + setting("instances")
                    + " has the names that it may use; a JWT may narrow them."));
        }
    }

    /// Checks that it may act for this agent in this instance.
    ///
    /// @throws ProblemException when it may not
    public void checkUse(String instanceKey, String agent) {
        if (!mayUse(instanceKey, agent)) {
            throw new ProblemException(Problem.of(ProblemType.FORBIDDEN, "The principal '" + name
                    + "' may not act for agent '" + agent + "' in instance '" + instanceKey
                    + "'. " + setting("agents") + " and .instances have the names that it may use; a JWT may narrow"
                    + " them."));
        }
    }
}
