package dev.toolfleet.worker.telemetry;

/// Keys of log events; public API for searches in logs.
public final class LogKeys {
    /// A partition number of the group-A topics.
    public static final String PARTITION = "partition";
    /// An offset on `tool.call`.
    public static final String OFFSET = "offset";
    /// Topic, partition and offset of a record.
    public static final String ORIGIN = "origin";
    /// The epoch of an assignment.
    public static final String EPOCH = "epoch";
    /// A tool's name; in lines of a call's thread, as the caller named it.
    public static final String TOOL = "tool";
    /// The model's id of a call.
    public static final String CALL_ID = "callId";
    /// An instance.
    public static final String INSTANCE = "instanceKey";
    /// The W3C trace of a call: 32 hex digits.
    public static final String TRACE_ID = "traceId";
    /// The span of a call, or of its handler, where this worker traces: 16 hex digits.
    public static final String SPAN_ID = "spanId";
    /// A bundle.
    public static final String BUNDLE = "bundle";
    /// The publisher of tools at run time: the namespace of an extension's use.
    public static final String SOURCE = "source";
    /// A bundle's revision.
    public static final String REVISION = "revision";
    /// A Tool or an Extension whose code is loaded or closed, as `bundle/name`.
    public static final String MODULE = "module";
    /// A worker's name.
    public static final String WORKER = "worker";
    /// An error code.
    public static final String CODE = "code";
    /// The reason of an event.
    public static final String REASON = "reason";
    /// A number of things.
    public static final String COUNT = "count";
    /// A duration in milliseconds.
    public static final String MILLIS = "ms";

    /// The new state.
    public static final String STATE = "state";
    /// The state before.
    public static final String FORMER = "former";

    /// A folder.
    public static final String FOLDER = "folder";
    /// Topics and partitions to be written.
    public static final String TARGETS = "targets";

    /// The address at which the worker answers over HTTP.
    public static final String URL = "url";

    private LogKeys() {}
}
