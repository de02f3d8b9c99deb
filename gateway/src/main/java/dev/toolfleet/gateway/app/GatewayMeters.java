package dev.toolfleet.gateway.app;

/// Meters of a gateway, by Micrometer's names; public API for monitoring.
public final class GatewayMeters {
    /// Gauge: 1 while the gateway is ready, else 0.
    public static final String READY = "toolfleet.gateway.ready";
    /// Gauge: open event streams.
    public static final String STREAMS = "toolfleet.gateway.streams";

    private GatewayMeters() {}
}
