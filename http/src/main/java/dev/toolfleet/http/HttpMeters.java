package dev.toolfleet.http;

/// What every server of the fleet measures, by Micrometer's names; public API for whoever watches it.
public final class HttpMeters {
    /// Timer: requests that were answered, by [#ROUTE] and [#STATUS].
    public static final String REQUESTS = "toolfleet.http.requests";
    /// A tag: the path as it is declared, or `none`.
    public static final String ROUTE = "route";
    /// A tag: the status code.
    public static final String STATUS = "status";

    private HttpMeters() {}
}
