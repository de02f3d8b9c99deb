package dev.toolfleet.worker.completion;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.streams.Outgoing;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.streams.processor.api.Record;

/// What the topology writes, with the headers of every record of the fleet. Pure.
///
/// @param source who writes
/// @param partition of `tool.pending`, where this task's handles are, whoever placed them
record HandleRecords(String source, int partition) {
    private static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);
    private static final WireCodec<ToolProgress> PROGRESS = WireCodec.of(ToolProgress.class);

    /// Room that key, headers and framing take of a record beside its value.
    private static final int OVERHEAD = 64 * 1024;

    /// For `tool.call.resumed`, in the call's partition.
    Record<byte[], Outgoing> outcome(Effect.Outcome outcome, Instant now) {
        PendingCall call = outcome.call();
        byte[] value = RESUMED.write(ResumedCall.ended(call, outcome.outcome()));
        if (value.length > Topic.CALL_RESUMED.maxRecordBytes() - OVERHEAD) {
            value = RESUMED.write(ResumedCall.ended(call, PollAnswers.tooLarge(call.handle(), value.length, null)));
        }
        return record(call.call().instanceKey(), Outgoing.to(call.partition(), value), now,
                headers(EventType.TOOL_CALL_RESUMED, call, "", call.call().instanceKey(), now));
    }

    /// For `tool.progress`, in the call's partition; empty when the call's ids alone fill a record.
    Optional<Record<byte[], Outgoing>> progress(Effect.Show show, Instant now) {
        PendingCall pending = show.call();
        ToolCall call = pending.call();
        byte[] value = PROGRESS.write(new ToolProgress(call.id(), call.name(), pending.handle(), call.instanceKey(),
                call.agentName(), call.turnId(), call.stepId(), show.progress(), now));
        if (value.length > Topic.PROGRESS.maxRecordBytes() - OVERHEAD)
            return Optional.empty();
        return Optional.of(record(call.instanceKey(), Outgoing.to(pending.partition(), value), now,
                headers(EventType.TOOL_PROGRESS, pending, "-" + now.toEpochMilli(), call.instanceKey(), now)));
    }

    /// For `tool.pending`: the handle is closed.
    Record<byte[], Outgoing> tombstone(String handle, Instant now) {
        return record(handle, Outgoing.to(partition, null), now, Map.of());
    }

    /// For `tool.pending`: who holds the handle.
    ///
    /// @param value as it was written first
    Record<byte[], Outgoing> again(PendingCall holder, byte[] value, Instant now) {
        return record(holder.handle(), Outgoing.to(partition, value), now,
                headers(EventType.TOOL_PENDING, holder, "", holder.handle(), now));
    }

    private Map<String, String> headers(EventType type, PendingCall call, String idSuffix, String subject,
            Instant now) {
        CallOrigin origin = call.origin();
        return WireHeaders.cloudEvent(type, call.partition() + "-" + call.callOffset() + idSuffix, source, subject, now,
                origin == null ? null : origin.traceparent());
    }

    private static Record<byte[], Outgoing> record(String key, Outgoing value, Instant now,
            Map<String, String> headers) {
        return new Record<>(key.getBytes(StandardCharsets.UTF_8), value, now.toEpochMilli(), KafkaHeaders.of(headers));
    }
}
