package dev.toolfleet.gateway.readmodel;

/// Keys of log events; public API for log searches.
final class ReadModelLogKeys {
    /// Another replica, as `host:port`.
    static final String PEER = "peer";
    /// The status of an HTTP answer.
    static final String STATUS = "status";
    /// The reason of an event.
    static final String REASON = "reason";

    private ReadModelLogKeys() {}
}
