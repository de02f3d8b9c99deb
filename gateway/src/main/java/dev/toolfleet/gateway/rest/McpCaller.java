package dev.toolfleet.gateway.rest;

import java.util.Optional;

import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// Caller of an MCP endpoint, by one request.
///
/// @param instance the instance in the path; empty for a path without one
/// @param agent the agent in the path
/// @param key the idempotency key of the request's header, with the principal's name before it; null for none
/// @param traceparent the W3C context of the request's header; null for none
record McpCaller(Context ctx, Principal principal, Optional<String> instance, String agent, @Nullable String key,
        @Nullable String traceparent) {
    /// Reads the caller of a request.
    ///
    /// @throws dev.toolfleet.http.ProblemException when the principal may not act for the agent in the path
    static McpCaller of(Context ctx, Optional<String> instance) {
        Principal principal = Principal.of(ctx, Scope.TOOLS_LIST, Scope.TOOLS_CALL);
        String agent = StepRoute.id("agent", ctx.pathParam("agent"));
        instance.ifPresent(key -> principal.checkUse(StepRoute.id("instanceKey", key), agent));
        if (!principal.mayUseAgent(agent))
            principal.checkUse("", agent);
        return new McpCaller(ctx, principal, instance, agent, IdempotencyKey.of(ctx, principal),
                ctx.header("traceparent"));
    }

    /// Returns the instance of a principal that names none.
    String ownInstance() {
        return principal.name().isEmpty() ? "local" : principal.name();
    }

    /// Returns the name under which the caller cancels; null without a principal.
    @Nullable
    String by() {
        return principal.name().isEmpty() ? null : principal.name();
    }
}
