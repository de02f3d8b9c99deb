package dev.toolfleet.http;

/// Meters that every server of the fleet has, by Micrometer's names; public API for monitoring.
public final class HttpMeters {
    /// Timer: requests that were answered, by [#ROUTE] and [#STATUS].
    public static final String REQUESTS = "toolfleet.http.requests";
    /// A tag: the path as it is declared, or `none`.
    public static final String ROUTE = "route";
    /// A tag: the status code.
    public static final String STATUS = "status";

    private HttpMeters() {}
}
