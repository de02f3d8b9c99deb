package dev.toolfleet.gateway.readers;

/// Keys of log events; public API for log searches.
final class ListLogKeys {
    static final String TOPIC = "topic";
    static final String PARTITION = "partition";
    static final String OFFSET = "offset";
    static final String STATUS = "status";
    static final String REASON = "reason";

    private ListLogKeys() {}
}
