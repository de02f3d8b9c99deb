package dev.toolfleet.streams;

/// Keys of log events; public API for whoever searches logs.
final class LogKeys {
    /// What runs, such as `the catalog service`.
    static final String RUN = "run";
    /// Topic, partition and offset of a record.
    static final String ORIGIN = "origin";
    /// Why something happened.
    static final String REASON = "reason";
    /// How many.
    static final String COUNT = "count";
    /// A topic's name.
    static final String TOPIC = "topic";

    private LogKeys() {}
}
