package dev.toolfleet.gateway.rest;

import dev.toolfleet.gateway.openapi.OpenApi;
import dev.toolfleet.gateway.openapi.Operations;
import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Route;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import tools.jackson.databind.node.ObjectNode;

/// Returns the description of the API (OpenAPI 3.1), to every principal.
final class DescriptionRoute implements Route {
    private static final ObjectNode DOCUMENT = OpenApi.document(Operations.all());

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, "/openapi.json", DescriptionRoute::show);
    }

    private static void show(Context ctx) {
        Answers.allowParameters(ctx);
        Answers.validated(ctx, DOCUMENT);
    }
}
