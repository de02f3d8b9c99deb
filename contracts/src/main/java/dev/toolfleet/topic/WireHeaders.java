package dev.toolfleet.topic;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/// Record headers: CloudEvents 1.0 in Kafka's binary mode, W3C trace context, and the fleet's own. A record without any
/// of them is accepted.
public final class WireHeaders {
    /// The fingerprint of a result's call.
    public static final String FINGERPRINT = "toolfleet-fingerprint";
    /// The offset of the call of a result or of progress.
    public static final String CALL_OFFSET = "toolfleet-call-offset";
    /// The time at which the broker appended a result's call, in epoch milliseconds. With its offset it distinguishes
    /// the record from any other at that offset.
    public static final String CALLED_AT = "toolfleet-called-at";
    /// The identity of a result's call.
    public static final String IDENTITY = "toolfleet-identity";
    /// Present, as `true`, on a result that repeats an earlier one for a duplicate of its call.
    public static final String REPLAYED = "toolfleet-replayed";
    /// The number of equal results that a call has had in a row in its turn, this one included, with the digests of turn
    /// and result. Present on final results of calls with a turn.
    public static final String LOOP = "toolfleet-loop";
    /// The reason of a dead letter; on a mark behind one, an operator's action.
    public static final String REASON = "toolfleet-reason";
    /// The topic, partition and offset of a dead letter's source, or of the letter that a mark refers to, as
    /// `topic/partition/offset`.
    public static final String ORIGIN = "toolfleet-origin";
    /// The worker or service that wrote a dead letter.
    public static final String WORKER = "toolfleet-worker";
    /// Number of attempts for a dead letter.
    public static final String ATTEMPT = "toolfleet-attempt";
    /// The writer of a record of `tool.audit`: one process or producer, from its start to its end.
    public static final String AUDIT_WRITER = "toolfleet-audit-writer";
    /// The record's number among those of its writer in its partition, from 1.
    public static final String AUDIT_SEQUENCE = "toolfleet-audit-sequence";
    /// Digest of its writer's record before it in its partition; `start` on the first.
    public static final String AUDIT_PREVIOUS = "toolfleet-audit-previous";
    /// Present, as `true`, on the last record of a writer that ended in order.
    public static final String AUDIT_END = "toolfleet-audit-end";
    /// The address for the final result of a call, as JSON of a `Callback`. Identity and fingerprint do not depend on it.
    public static final String CALLBACK = "toolfleet-callback";
    /// W3C trace context.
    public static final String TRACEPARENT = "traceparent";
    /// W3C trace state.
    public static final String TRACESTATE = "tracestate";

    private WireHeaders() {}

    /// Returns the CloudEvents headers of a record.
    ///
    /// @param type the kind of record, such as [EventType#TOOL_RESULT]
    /// @param id unique with `source`
    /// @param source the writer, a URI reference such as `/toolfleet/worker/w1`
    /// @param subject the subject
    /// @param traceparent the context to continue
    /// @return an ordered, mutable map, to which a writer may add
    public static Map<String, String> cloudEvent(EventType type, String id, String source, String subject, Instant time,
            @Nullable String traceparent) {
        return cloudEvent(type, id, source, subject, time.toString(), traceparent);
    }

    /// Returns the same with a formatted time, as `2026-01-31T12:00:00.123Z`.
    public static Map<String, String> cloudEvent(EventType type, String id, String source, String subject, String time,
            @Nullable String traceparent) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("ce_specversion", "1.0");
        headers.put("ce_id", id);
        headers.put("ce_type", type.text());
        headers.put("ce_source", source);
        headers.put("ce_subject", subject);
        headers.put("ce_time", time);
        headers.put("content-type", "application/json");
        if (traceparent != null)
            headers.put(TRACEPARENT, traceparent);
        return headers;
    }
}
