package dev.toolfleet.catalog.telemetry;

/// Names of meters; public API for whoever watches catalog services.
public final class Meters {
    /// Timer: requests that were answered, by [#ROUTE] and [#STATUS].
    public static final String HTTP_REQUESTS = "toolfleet.http.requests";
    /// Gauge: 1 while the service is ready, else 0.
    public static final String READY = "toolfleet.catalog.ready";
    /// Counter: threads that died and were replaced.
    public static final String REPLACED_THREADS = "toolfleet.catalog.replaced.threads";
    /// Counter: times that a layer, an extension's memory or policy failed, or a layer showed what it may not.
    public static final String FAULTS = "toolfleet.catalog.faults";

    /// A tag: the path as it is declared, or `none`.
    public static final String ROUTE = "route";
    /// A tag: the status code.
    public static final String STATUS = "status";

    private Meters() {}
}
