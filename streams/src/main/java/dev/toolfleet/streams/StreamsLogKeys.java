package dev.toolfleet.streams;

/// Keys of log events; public API for log searches.
final class StreamsLogKeys {
    /// The name of a run, such as `the catalog service`.
    static final String RUN = "run";
    /// Topic, partition and offset of a record.
    static final String ORIGIN = "origin";
    /// The reason of an event.
    static final String REASON = "reason";
    /// A count.
    static final String COUNT = "count";
    /// A topic's name.
    static final String TOPIC = "topic";

    private StreamsLogKeys() {}
}
