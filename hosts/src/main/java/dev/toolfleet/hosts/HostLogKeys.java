package dev.toolfleet.hosts;

/// Keys of log events; public API for log searches.
final class HostLogKeys {
    /// The bundle and the kind of a host, as in `acme (node)`.
    static final String HOST = "host";
    /// A full name of a Tool's export, or the Tool.
    static final String TOOL = "tool";
    /// The reason of an event.
    static final String REASON = "reason";
    /// A number of things.
    static final String COUNT = "count";
    /// A line that a host or a handler printed.
    static final String LINE = "line";
    /// The process id of a host.
    static final String PID = "pid";
    /// A duration.
    static final String MILLIS = "millis";

    private HostLogKeys() {}
}
