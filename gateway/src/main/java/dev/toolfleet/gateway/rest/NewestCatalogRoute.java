package dev.toolfleet.gateway.rest;

import dev.toolfleet.gateway.access.Principal;
import dev.toolfleet.gateway.access.Scope;
import dev.toolfleet.gateway.calls.Answer;
import dev.toolfleet.gateway.lists.FleetLists;
import dev.toolfleet.gateway.lists.NewestCatalogs;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/// Shows the catalog of the newest step of an instance's agent, as the catalog service does. The principal is judged here.
record NewestCatalogRoute(FleetLists lists) implements Route {
    private static final int NOT_MODIFIED = 304;

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, "/v1/instances/{instanceKey}/agents/{agent}/catalog", this::show);
    }

    private void show(Context ctx) {
        Answers.allowParameters(ctx, StepRoute.FORMAT);
        Principal principal = Principal.of(ctx, Scope.TOOLS_LIST);
        String instanceKey = StepRoute.id("instanceKey", ctx.pathParam("instanceKey"));
        String agent = StepRoute.id("agent", ctx.pathParam("agent"));
        principal.checkUse(instanceKey, agent);
        String format = ctx.queryParam(StepRoute.FORMAT);
        StepRoute.format(format);
        NewestCatalogs.Shown shown = switch (lists.catalogs().newest(instanceKey, agent, format,
                ctx.header("If-None-Match"))) {
            case Answer.Found<NewestCatalogs.Shown>(NewestCatalogs.Shown found) -> found;
            case Answer.Unknown<NewestCatalogs.Shown>(String reason) -> throw Refusals.of(ProblemType.UNKNOWN_CATALOG,
                    "No catalog of agent '" + agent + "' in instance '" + instanceKey + "' is known: " + reason + ".");
            case Answer.Unavailable<NewestCatalogs.Shown>(String reason) -> throw Refusals.later(reason);
        };
        shown.headers().forEach(ctx::header);
        byte[] body = shown.body();
        if (body == null)
            ctx.status(NOT_MODIFIED);
        else
            ctx.contentType("application/json").result(body);
    }
}
