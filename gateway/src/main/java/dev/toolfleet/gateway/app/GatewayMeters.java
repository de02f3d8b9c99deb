package dev.toolfleet.gateway.app;

/// Meters of a gateway, by Micrometer's names; public API for monitoring.
public final class GatewayMeters {
    /// Gauge: 1 while the gateway is ready, else 0.
    public static final String READY = "toolfleet.gateway.ready";
    /// Gauge: open event streams.
    public static final String STREAMS = "toolfleet.gateway.streams";
    /// Gauge: requests that are not answered, streams left out.
    public static final String OPEN_REQUESTS = "toolfleet.gateway.requests";
    /// Counter: requests that were rejected before their route, or for a missing scope or a limit, by [#REASON].
    public static final String REJECTED = "toolfleet.gateway.rejected";
    /// A tag: the reason of a rejection.
    public static final String REASON = "reason";

    private GatewayMeters() {}
}
