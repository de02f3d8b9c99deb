package dev.toolfleet.worker.bridge;

import dev.toolfleet.worker.telemetry.WorkerMeters;

/// Metrics of a worker's connections to MCP servers.
public final class BridgeGauges {
    /// Gauge, by [WorkerMeters#STATE]: servers that are `open`, and those that are `away`.
    public static final String SERVERS = "toolfleet.mcp.servers";
    /// Counter: connections that were begun, restarts included.
    public static final String STARTS = "toolfleet.mcp.starts";
    /// Gauge: tools whose definitions have changed and wait for approval.
    public static final String WITHHELD = "toolfleet.mcp.tools.withheld";

    private BridgeGauges() {}

    /// Registers them.
    public static void register(WorkerMeters meters, ServerPool servers) {
        String what = "MCP servers, by state";
        meters.gauge(SERVERS, what, WorkerMeters.STATE, "open",
                () -> servers.links().stream().filter(ServerLink::isOpen).count());
        meters.gauge(SERVERS, what, WorkerMeters.STATE, "away",
                () -> servers.links().stream().filter(link -> !link.isOpen()).count());
        meters.count(STARTS, "connections to MCP servers that were begun", servers::starts);
        meters.gauge(WITHHELD, "MCP tools whose changed definitions wait for approval",
                () -> servers.links().stream().mapToInt(ServerLink::withheld).sum());
    }
}
