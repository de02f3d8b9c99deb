package dev.toolfleet.worker.telemetry;

import io.opentelemetry.api.common.AttributeKey;

/// Names of spans and of their attributes; public API for searches in traces. Instances and calls are attributes here
/// although they are no tags of metrics: each span is stored by itself, and many values cost no more than few.
public final class TraceNames {
    /// The span of a call that was read from `tool.call`.
    public static final String CALL = "tool.call";
    /// The span of a record of `tool.call.resumed`: an approved call, or the end of a pending one.
    public static final String RESUMED = "tool.call.resumed";
    /// One start of a handler, inside of a call's span.
    public static final String HANDLER = "tool.handler";

    /// The tool as the caller named it.
    public static final AttributeKey<String> TOOL = AttributeKey.stringKey("toolfleet.tool");
    /// The model's id of the call.
    public static final AttributeKey<String> CALL_ID = AttributeKey.stringKey("toolfleet.call.id");
    /// The instance.
    public static final AttributeKey<String> INSTANCE = AttributeKey.stringKey("toolfleet.instance");
    /// The agent, where the call names one.
    public static final AttributeKey<String> AGENT = AttributeKey.stringKey("toolfleet.agent");
    /// The number of the handler's start, from 1.
    public static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("toolfleet.attempt");
    /// The status of the call at its end here: `ok`, `pending`, `error`, or [#LEFT].
    public static final AttributeKey<String> STATUS = AttributeKey.stringKey("toolfleet.status");
    /// The code of its error.
    public static final AttributeKey<String> CODE = AttributeKey.stringKey("toolfleet.code");
    /// The time from its record's append to its start, in milliseconds.
    public static final AttributeKey<Long> QUEUED = AttributeKey.longKey("toolfleet.queue.ms");
    /// OpenTelemetry's name for the kind of broker.
    public static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
    /// OpenTelemetry's name for the partition.
    public static final AttributeKey<String> PARTITION = AttributeKey.stringKey("messaging.destination.partition.id");
    /// OpenTelemetry's name for the offset.
    public static final AttributeKey<Long> OFFSET = AttributeKey.longKey("messaging.kafka.offset");

    /// The status of a call that ended without a result of its own here.
    public static final String LEFT = "left";
    /// An event: the call's tool was looked up in the step's catalog.
    public static final String JUDGED = "catalog.judged";
    /// An event: the call waited for its tool's limits, and its turn has come.
    public static final String ADMITTED = "limits.admitted";

    private TraceNames() {}
}
