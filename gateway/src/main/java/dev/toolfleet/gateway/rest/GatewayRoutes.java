package dev.toolfleet.gateway.rest;

import java.time.InstantSource;
import java.util.List;

import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.gateway.calls.VisibleCalls;
import dev.toolfleet.gateway.lists.FleetLists;
import dev.toolfleet.gateway.webhook.WebhookConfig;
import dev.toolfleet.http.Route;

/// The routes of the gateway, assembled.
public final class GatewayRoutes {
    /// A sentence about the paths, for requests of other paths.
    public static final String PATHS = "There are POST /v1/instances/{instanceKey}/agents/{agent}/steps, …/calls, GET"
            + " /v1/instances/{instanceKey}/agents/{agent}/catalog (prompt, messages, session), /v1/instances/{instanceKey}/results, /v1/calls, /v1/calls/{id}, /v1/calls/{id}/events, POST /v1/calls/{id}/cancel, /v1/handles/{handle}/completions,"
            + " /v1/handles/{handle}/decision, GET /v1/approvals, /v1/errors, /v1/dead-letters, /v1/agents,"
            + " /v1/agents/{agent}, /v1/resources, POST /mcp/agents/{agent}, /mcp/instances/{instanceKey}/agents/{agent}, GET"
            + " /openapi.json, /health/live, /health/ready and /metrics; a '/' in a name is"
            + " %2F.";

    private final List<Route> routes;

    /// Makes the routes.
    ///
    /// @param webhooks the secrets and hosts of callbacks
    /// @param clock decides about leases of declarations, and about the default of `since`
    public GatewayRoutes(FleetWriter fleet, CallReads reads, FleetLists lists, WebhookConfig webhooks,
            InstantSource clock) {
        KnownCalls calls = new KnownCalls(reads);
        EventStream stream = new EventStream(calls);
        routes = List.of(new StepRoute(fleet, () -> lists.resources().live(clock.instant())),
                new InstanceViewRoute(lists),
                new CallRoute(fleet, new ExportHints(lists::resources), calls, stream, webhooks),
                new CallListRoute(new VisibleCalls(reads)), new KnownCallRoute(fleet, calls, stream),
                new HandleRoute(fleet), new ResultRoute(reads),
                new ApprovalRoute(lists), new ErrorRoute(lists, clock), new LetterRoute(lists),
                new DeclarationRoute(lists, clock), new DescriptionRoute());
    }

    /// Returns the routes.
    public List<Route> all() {
        return routes;
    }
}
