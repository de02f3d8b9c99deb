package dev.toolfleet.gateway.limits;

import java.util.Locale;

/// Limit that refused a request.
public enum Limit {
    /// Requests per second of the principal.
    RATE,
    /// Requests of the principal at a time.
    REQUESTS,
    /// Open streams of the principal.
    STREAMS,
    /// Requests of all principals at a time.
    ALL_REQUESTS,
    /// Open streams of all principals.
    ALL_STREAMS;

    /// Returns its text as a tag of metrics.
    public String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
