package dev.toolfleet.catalog.http;

import java.time.InstantSource;
import java.util.List;

import dev.toolfleet.http.Answers;
import dev.toolfleet.http.Problem;
import dev.toolfleet.http.ProblemException;
import dev.toolfleet.http.ProblemType;
import dev.toolfleet.http.Route;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceListJson;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/// Shows the resources that bundles declare, whole revisions only, and those that extensions and MCP servers publish,
/// during their leases.
final class ResourceRoute implements Route {
    private static final String GROUP = "group";
    private static final String SOURCE = "source";

    private final Declarations service;
    private final InstantSource clock;

    /// @param clock decides about leases
    ResourceRoute(Declarations service, InstantSource clock) {
        this.service = service;
        this.clock = clock;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, "/v1/resources", this::list);
    }

    private void list(Context ctx) {
        Answers.allowParameters(ctx, GROUP, SOURCE);
        String source = ctx.queryParam(SOURCE);
        if (source != null && !ResourceListJson.SOURCES.contains(source))
            throw new ProblemException(Problem.of(ProblemType.INVALID_REQUEST, "The source '" + source
                    + "' is unknown; there are " + String.join(", ", ResourceListJson.SOURCES) + "."));
        Answers.validated(ctx, new ResourceListJson(ctx.queryParam(GROUP), source).of(view(service, clock)));
    }

    /// Returns the declared and live resources.
    ///
    /// @throws ProblemException when they are not known yet
    static FleetResources view(Declarations service, InstantSource clock) {
        return service.resources().map(all -> all.live(clock.instant())).orElseThrow(() -> new ProblemException(Problem
                .notReady("The resources have not been read to their end yet. Ask again in a second.", List.of())));
    }
}
