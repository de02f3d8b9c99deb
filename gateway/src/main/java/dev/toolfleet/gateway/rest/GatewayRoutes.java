package dev.toolfleet.gateway.rest;

import java.util.List;

import dev.toolfleet.gateway.calls.CallReads;
import dev.toolfleet.http.Route;

/// The routes of the gateway, assembled.
public final class GatewayRoutes {
    /// A sentence about the paths, for requests of other paths.
    public static final String PATHS = "There are POST /v1/instances/{instanceKey}/agents/{agent}/steps, …/calls, GET"
            + " /v1/instances/{instanceKey}/results, /v1/calls/{id}, /v1/calls/{id}/events, POST /v1/calls/{id}/cancel, /v1/handles/{handle}/completions,"
            + " /v1/handles/{handle}/decision, and GET /health/live, /health/ready and /metrics; a '/' in a name is"
            + " %2F.";

    private final List<Route> routes;
    private final OpenStreams streams;

    /// Makes the routes.
    ///
    /// @param mostStreams the largest number of open event streams
    public GatewayRoutes(FleetWriter fleet, CallReads reads, int mostStreams) {
        KnownCalls calls = new KnownCalls(reads);
        streams = new OpenStreams(mostStreams);
        EventStream stream = new EventStream(calls, streams);
        routes = List.of(new StepRoute(fleet), new CallRoute(fleet, calls, stream),
                new KnownCallRoute(fleet, calls, stream), new HandleRoute(fleet),
                new ResultRoute(reads, streams));
    }

    /// Returns the routes.
    public List<Route> all() {
        return routes;
    }

    /// Number of open event streams.
    public int openStreams() {
        return streams.open();
    }
}
