package dev.toolfleet.catalog.http;

import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import dev.toolfleet.bundle.ExtensionUse;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import dev.toolfleet.json.Json;
import dev.toolfleet.resources.AgentTools;
import dev.toolfleet.resources.DeclaredAgent;
import dev.toolfleet.resources.FleetResources;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Shows the declared agents, their bundles, and the tools of their declarations.
final class AgentRoute implements Route {
    private static final int NAMES_IN_A_PROBLEM = 10;

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
        FleetResources resources = ResourceRoute.view(service, clock);
        ObjectNode answer = Json.MAPPER.createObjectNode();
        ArrayNode list = answer.putArray("agents");
        names(resources).forEach(name -> resources.agent(name).map(AgentRoute::json).ifPresent(list::add));
        Answers.validated(ctx, answer);
    }

    private void show(Context ctx) {
        Answers.allowParameters(ctx);
        FleetResources resources = ResourceRoute.view(service, clock);
        String name = ctx.pathParam("agent");
        ObjectNode answer = resources.agent(name).map(AgentRoute::json).orElseThrow(() -> unknown(name, resources));
        AgentTools tools = AgentTools.of(resources, name);
        ArrayNode exports = answer.putArray("exports");
        tools.items().forEach(item -> {
            ObjectNode export = exports.addObject().put("name", item.name());
            if (item.group() != null)
                export.put("group", item.group());
            export.set("tool", Json.MAPPER.valueToTree(item.tool()));
        });
        answer.set("problems", Json.MAPPER.valueToTree(tools.problems()));
        Answers.validated(ctx, answer);
    }

    private static ObjectNode json(DeclaredAgent agent) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("name", agent.spec().name()).put("bundle", agent.bundle()).put("revision", agent.revision());
        json.set("alsoIn", Json.MAPPER.valueToTree(agent.alsoIn()));
        json.set("tools", Json.MAPPER.valueToTree(agent.spec().tools().stream().map(Object::toString).toList()));
        json.set("extensions", Json.MAPPER
                .valueToTree(agent.spec().extensions().stream().map(ExtensionUse::ref).map(Object::toString).toList()));
        json.set("requiredTools", Json.MAPPER.valueToTree(agent.spec().requiredTools()));
        return json;
    }

    private static ProblemException unknown(String name, FleetResources resources) {
        Set<String> names = names(resources);
        List<String> some = names.stream().limit(NAMES_IN_A_PROBLEM).toList();
        String known = names.isEmpty()
                ? "No bundle declares any yet."
                : "Declared: " + String.join(", ", some) + (some.size() < names.size() ? ", …" : "") + ".";
        return new ProblemException(Problem.of(ProblemType.UNKNOWN_AGENT, "No bundle declares an Agent '" + name
                + "'; apply the one that does (toolfleet apply). " + known));
    }

    private static Set<String> names(FleetResources resources) {
        Set<String> names = new TreeSet<>();
        resources.bundles().values().forEach(bundle -> names.addAll(bundle.agents().keySet()));
        return names;
    }
}
