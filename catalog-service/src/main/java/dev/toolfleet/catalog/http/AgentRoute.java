package dev.toolfleet.catalog.http;

import java.time.InstantSource;

import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import dev.toolfleet.resources.AgentJson;
import dev.toolfleet.resources.FleetResources;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/// Shows the declared agents, their bundles, and the tools of their declarations.
final class AgentRoute implements Route {
    private final Declarations service;
    private final InstantSource clock;

    /// @param clock decides about leases
    AgentRoute(Declarations service, InstantSource clock) {
        this.service = service;
        this.clock = clock;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, "/v1/agents", this::list);
        Route.read(routes, "/v1/agents/{agent}", this::show);
    }

    private void list(Context ctx) {
        Answers.allowParameters(ctx);
        Answers.validated(ctx, AgentJson.list(ResourceRoute.view(service, clock), name -> true));
    }

    private void show(Context ctx) {
        Answers.allowParameters(ctx);
        FleetResources resources = ResourceRoute.view(service, clock);
        String name = ctx.pathParam("agent");
        Answers.validated(ctx, AgentJson.one(resources, name)
                .orElseThrow(() -> new ProblemException(Problem.of(ProblemType.UNKNOWN_AGENT,
                        "No bundle declares an Agent '" + name + "'; apply the one that does (toolfleet apply). "
                                + AgentJson.known(resources, each -> true)))));
    }
}
