package dev.toolfleet.sessions.http;

/// Names of the session service's meters; public API (`docs/metrics.md`).
public final class SessionMeters {
    /// 1 while the service is ready, else 0.
    public static final String READY = "toolfleet.session.ready";

    private SessionMeters() {}
}
