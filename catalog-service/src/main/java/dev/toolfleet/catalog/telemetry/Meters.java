package dev.toolfleet.catalog.telemetry;

/// Names of meters, beside those of every server ([dev.toolfleet.http.HttpMeters]); public API for monitoring.
public final class Meters {
    /// Gauge: 1 while the service is ready, else 0.
    public static final String READY = "toolfleet.catalog.ready";
    /// Counter: threads that died and were replaced.
    public static final String REPLACED_THREADS = "toolfleet.catalog.replaced.threads";
    /// Counter: failures of layers, of extensions' memories and of policy, and forbidden tools in a layer's list.
    public static final String FAULTS = "toolfleet.catalog.faults";

    /// Counter: records of a kind that this version does not know, in this process.
    public static final String RECORDS_UNKNOWN = "toolfleet.catalog.records.unknown";

    /// Gauge: bundles whose active revision is rejected.
    public static final String BUNDLES_REFUSED = "toolfleet.catalog.bundles.refused";

    /// Gauge: threads of layers and memories that exceeded their limit and still run.
    public static final String LEFT_BEHIND = "toolfleet.catalog.left.behind";

    private Meters() {}
}
