package dev.toolfleet.gateway.rest;

import java.time.InstantSource;
import java.util.Optional;

import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.lists.FleetLists;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import dev.toolfleet.resources.AgentJson;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceListJson;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import tools.jackson.databind.node.ObjectNode;

/// Shows the declared agents and resources, as the catalog service does.
///
/// @param clock decides about leases
record DeclarationRoute(FleetLists lists, InstantSource clock) implements Route {
    static final String AGENTS = "/v1/agents";
    static final String AGENT = "/v1/agents/{agent}";
    static final String RESOURCES = "/v1/resources";
    static final String GROUP = "group";
    static final String SOURCE = "source";

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, AGENTS, this::agents);
        Route.read(routes, AGENT, this::agent);
        Route.read(routes, RESOURCES, this::resources);
    }

    private FleetResources live() {
        return lists.resources().live(clock.instant());
    }

    private void agents(Context ctx) {
        Answers.allowParameters(ctx);
        Principal principal = Principal.of(ctx, Scope.TOOLS_LIST, Scope.FLEET_READ);
        Answers.validated(ctx, AgentJson.list(live(), principal::mayUseAgent));
    }

    private void agent(Context ctx) {
        Answers.allowParameters(ctx);
        Principal principal = Principal.of(ctx, Scope.TOOLS_LIST, Scope.FLEET_READ);
        String name = ctx.pathParam("agent");
        FleetResources live = live();
        Optional<ObjectNode> found = principal.mayUseAgent(name) ? AgentJson.one(live, name) : Optional.empty();
        Answers.validated(ctx, found.orElseThrow(() -> Refusals.of(ProblemType.UNKNOWN_AGENT,
                "No bundle declares an Agent '" + name + "' that this principal may use; apply the bundle that does"
                        + " (toolfleet apply). " + AgentJson.known(live, principal::mayUseAgent))));
    }

    private void resources(Context ctx) {
        Answers.allowParameters(ctx, GROUP, SOURCE);
        Principal.of(ctx, Scope.FLEET_READ).checkUnrestricted("declarations");
        String source = ctx.queryParam(SOURCE);
        if (source != null && !ResourceListJson.SOURCES.contains(source))
            throw Refusals.invalid("The source '" + source + "' is unknown; there are "
                    + String.join(", ", ResourceListJson.SOURCES) + ".");
        Answers.validated(ctx, new ResourceListJson(ListAnswers.name(ctx, GROUP), source).of(live()));
    }
}
