package dev.toolfleet.gateway.rest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.lists.FleetLists;
import dev.toolfleet.gateway.lists.InstanceViews;
import dev.toolfleet.gateway.lists.InstanceViews.View;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/// Shows the catalog of the newest step of an instance's agent, its system prompt, and its session, as the services of
/// the fleet do. The principal is judged here.
record InstanceViewRoute(FleetLists lists) implements Route {
    private static final String PATH = "/v1/instances/{instanceKey}/agents/{agent}/";

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, PATH + View.CATALOG.path(), ctx -> {
            Answers.allowParameters(ctx, StepRoute.FORMAT);
            StepRoute.format(ctx.queryParam(StepRoute.FORMAT));
            show(ctx, View.CATALOG, Scope.TOOLS_LIST, List.of(StepRoute.FORMAT));
        });
        Route.read(routes, PATH + View.PROMPT.path(),
                ctx -> show(ctx, View.PROMPT, Scope.TOOLS_LIST, List.of("mode", "maxTokens")));
        Route.read(routes, PATH + View.MESSAGES.path(),
                ctx -> show(ctx, View.MESSAGES, Scope.SESSIONS_READ, List.of("view")));
        Route.read(routes, PATH + View.SESSION.path(),
                ctx -> show(ctx, View.SESSION, Scope.SESSIONS_READ, List.of()));
    }

    private void show(Context ctx, View view, Scope scope, List<String> parameters) {
        Answers.allowParameters(ctx, parameters.toArray(String[]::new));
        Principal principal = Principal.of(ctx, scope);
        String instanceKey = StepRoute.id("instanceKey", ctx.pathParam("instanceKey"));
        String agent = StepRoute.id("agent", ctx.pathParam("agent"));
        principal.checkUse(instanceKey, agent);
        Map<String, String> given = new LinkedHashMap<>();
        for (String name : parameters) {
            String value = ctx.queryParam(name);
            if (value != null)
                given.put(name, value);
        }
        InstanceViews.Shown shown = switch (lists.views().read(view, instanceKey, agent, given,
                ctx.header("If-None-Match"))) {
            case Answer.Found<InstanceViews.Shown>(InstanceViews.Shown found) -> found;
            case Answer.Unknown<InstanceViews.Shown>(String reason) -> throw Refusals.of(
                    view.isOfSessions() ? ProblemType.UNKNOWN_SESSION : ProblemType.UNKNOWN_CATALOG,
                    "No " + (view.isOfSessions() ? "session" : "catalog") + " of agent '" + agent + "' in instance '"
                            + instanceKey + "' is known: " + reason + ".");
            case Answer.Unavailable<InstanceViews.Shown>(String reason) -> throw Refusals.later(reason);
        };
        ctx.status(shown.status());
        shown.headers().forEach(ctx::header);
        byte[] body = shown.body();
        if (body != null)
            ctx.result(body);
    }
}
