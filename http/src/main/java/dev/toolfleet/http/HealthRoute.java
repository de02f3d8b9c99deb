package dev.toolfleet.http;

import java.util.List;
import java.util.Set;

import dev.toolfleet.json.Json;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/// Health probes of an orchestrator. They need no token and reveal nothing about catalogs or calls.
public final class HealthRoute implements Route {
    private static final String LIVE = "/health/live";
    private static final String READY = "/health/ready";
    /// The paths that need no token.
    static final Set<String> PATHS = Set.of(LIVE, READY);
    private static final String STATUS = "status";

    private final String what;
    private final Health health;

    /// @param what the subject of the probe's answer, such as `service`
    public HealthRoute(String what, Health health) {
        this.what = what;
        this.health = health;
    }

    @Override
    public void addTo(RoutesConfig routes) {
        Route.read(routes, LIVE, this::live);
        Route.read(routes, READY, this::ready);
    }

    private void live(Context ctx) {
        if (!health.isAlive())
            throw new ProblemException(
                    Problem.notReady("The " + what + " cannot continue; restart it, its log has the reason.",
                            List.of()));
        Answers.json(ctx, Json.MAPPER.createObjectNode().put(STATUS, "live"));
    }

    private void ready(Context ctx) {
        List<String> reasons = health.notReady();
        if (!reasons.isEmpty())
            throw new ProblemException(
                    Problem.notReady("The " + what + " is not ready: " + String.join("; ", reasons) + ".", reasons));
        Answers.json(ctx, Json.MAPPER.createObjectNode().put(STATUS, "ready"));
    }
}
