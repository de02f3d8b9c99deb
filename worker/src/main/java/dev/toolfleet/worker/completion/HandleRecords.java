package dev.toolfleet.worker.completion;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.streams.Outgoing;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.AuditedCall;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/// Records that the topology writes, with the headers of every record of the fleet. Pure.
///
/// @param worker the name of the writer
/// @param partition of `tool.pending`, the place of this task's handles, whichever producer placed them
record HandleRecords(String worker, int partition) {
    private static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);
    private static final WireCodec<AuditEvent> AUDIT = WireCodec.of(AuditEvent.class);
    private static final WireCodec<ToolProgress> PROGRESS = WireCodec.of(ToolProgress.class);

    /// Room in a record for key, headers and framing beside its value.
    private static final int OVERHEAD = 64 * 1024;

    /// Returns the outcome for `tool.call.resumed`, in the call's partition.
    Record<byte[], Outgoing> outcome(HandleEffect.Outcome outcome, Instant now) {
        PendingCall call = outcome.call();
        byte[] value = RESUMED.write(ResumedCall.ended(call, outcome.outcome()));
        if (value.length > Topic.CALL_RESUMED.maxRecordBytes() - OVERHEAD) {
            value = RESUMED.write(ResumedCall.ended(call, PollAnswers.tooLarge(call.handle(), value.length, null)));
        }
        return record(call.call().instanceKey(), Outgoing.to(call.partition(), value), now,
                headers(EventType.TOOL_CALL_RESUMED, call, "", call.call().instanceKey(), now));
    }

    /// Returns the approved call for `tool.call.resumed`, in the call's partition: the call as it was sent, and the
    /// grant to run it.
    ///
    /// @param whole its value on `tool.pending`
    Record<byte[], Outgoing> approved(HandleEffect.Approved approved, byte @Nullable [] whole, Instant now) {
        PendingCall call = approved.call();
        byte[] value = granted(approved, whole);
        if (value == null || value.length > Topic.CALL_RESUMED.maxRecordBytes() - OVERHEAD)
            return outcome(PendingOutcomes.withoutCall(approved), now);
        // Several handles may each have an approval of one call.
        return record(call.call().instanceKey(), Outgoing.to(call.partition(), value), now,
                headers(EventType.TOOL_CALL_RESUMED, call, "-" + call.handle(), call.call().instanceKey(), now));
    }

    private static byte @Nullable [] granted(HandleEffect.Approved approved, byte @Nullable [] whole) {
        if (whole == null)
            return null;
        try {
            PendingCall full = HandleInput.PENDING.read(whole);
            return full.isOf(approved.call()) ? RESUMED.write(ResumedCall.approved(full, approved.grant())) : null;
        } catch (WireFormatException e) {
            return null;
        }
    }

    /// Returns the event for `tool.audit`.
    Record<byte[], Outgoing> audit(HandleEffect.Audit audit, boolean sensitive, Instant now) {
        PendingCall pending = audit.call();
        String instance = pending.call().instanceKey();
        byte[] value = AUDIT.write(event(audit, pending, sensitive, now));
        if (value.length > Topic.AUDIT.maxRecordBytes() - OVERHEAD) {
            // The caller's names are very long. The remaining fields each have a limit, and identify the call.
            PendingCall named = pending.forCall(ToolCall.of(pending.call().id(), pending.call().name(),
                    pending.call().args(), instance), null);
            value = AUDIT.write(event(audit, new PendingCall(named.handle(), named.kind(), named.call(),
                    named.partition(), named.callOffset(), null, null, named.deadline(), null, null,
                    named.createdAt(), null), sensitive, now));
        }
        return record(instance, Outgoing.anywhere(value), now, headers(EventType.TOOL_AUDIT, pending,
                "-" + audit.what().text() + "-" + pending.handle()
                // Several approvals of one call may be refused.
                        + (audit.what() == HandleEffect.Decided.REFUSED ? "-" + now.toEpochMilli() : "")
                        + (audit.what() == HandleEffect.Decided.COUNTED ? "-" + audit.given() : ""),
                instance, now));
    }

    private AuditEvent event(HandleEffect.Audit audit, PendingCall pending, boolean sensitive, Instant now) {
        ToolCall call = pending.call();
        Approval asked = pending.approval();
        CallOrigin origin = pending.origin();
        String fingerprint = asked != null ? asked.fingerprint() : origin == null ? null : origin.fingerprint();
        AuditedCall audited = new AuditedCall(call.id(), call.name(), null, call.instanceKey(), call.agentName(),
                call.turnId(), call.stepId(), call.userId(), call.channelId(), fingerprint, pending.catalogDigest(),
                traceId(pending));
        return new AuditEvent(AuditEvent.Kind.DECISION, audit.what().text(), audit.by(), audit.reason(), null, null,
                audited, pending.handle(), asked == null ? null : asked.rule(), null,
                asked == null ? null : asked.policyDigest(), sensitive, asked == null ? null : asked.hidden(),
                asked == null || asked.needed() == 1 ? null : audit.given(),
                asked == null || asked.needed() == 1 ? null : asked.needed(), null, worker, now);
    }

    /// Returns the caller's own id, else that of the trace.
    private static @Nullable String traceId(PendingCall pending) {
        TraceContext trace = TraceContext.of(pending.origin());
        return pending.call().traceId() != null || trace == null ? pending.call().traceId() : trace.traceId();
    }

    /// Returns the progress for `tool.progress`, in the call's partition; empty if the call's ids alone fill a record.
    Optional<Record<byte[], Outgoing>> progress(HandleEffect.Show show, Instant now) {
        PendingCall pending = show.call();
        ToolCall call = pending.call();
        byte[] value = PROGRESS.write(new ToolProgress(call.id(), call.name(), pending.handle(), call.instanceKey(),
                call.agentName(), call.turnId(), call.stepId(), show.progress(), now));
        if (value.length > Topic.PROGRESS.maxRecordBytes() - OVERHEAD)
            return Optional.empty();
        Map<String, String> headers = headers(EventType.TOOL_PROGRESS, pending, "-" + now.toEpochMilli(),
                call.instanceKey(), now);
        headers.put(WireHeaders.CALL_OFFSET, Long.toString(pending.callOffset()));
        return Optional.of(record(call.instanceKey(), Outgoing.to(pending.partition(), value), now, headers));
    }

    /// Returns the tombstone for `tool.pending`: the handle is closed.
    Record<byte[], Outgoing> tombstone(String handle, Instant now) {
        return record(handle, Outgoing.to(partition, null), now, Map.of());
    }

    /// Returns the record of the call that holds the handle, for `tool.pending`.
    ///
    /// @param value as it was written first
    Record<byte[], Outgoing> again(PendingCall holder, byte[] value, Instant now) {
        return record(holder.handle(), Outgoing.to(partition, value), now,
                headers(EventType.TOOL_PENDING, holder, "", holder.handle(), now));
    }

    /// Returns the same call for `tool.pending`, with the people who have approved it; empty if it would not fit.
    ///
    /// @param value as it was written first
    Optional<Record<byte[], Outgoing>> counted(HandleEffect.ShowCount count, byte[] value, Instant now) {
        byte[] counted = HandleInput.PENDING.write(HandleInput.PENDING.read(value).approvedBy(count.people()));
        return counted.length > PendingCall.MAX_BYTES
                ? Optional.empty()
                : Optional.of(again(count.holder(), counted, now));
    }

    private Map<String, String> headers(EventType type, PendingCall call, String idSuffix, String subject,
            Instant now) {
        Map<String, String> headers = WireHeaders.cloudEvent(type,
                call.partition() + "-" + call.callOffset() + idSuffix,
                "/toolfleet/worker/" + worker, subject, now, null);
        TraceContext.put(TraceContext.of(call.origin()), headers);
        return headers;
    }

    private static Record<byte[], Outgoing> record(String key, Outgoing value, Instant now,
            Map<String, String> headers) {
        return new Record<>(key.getBytes(StandardCharsets.UTF_8), value, now.toEpochMilli(), KafkaHeaders.of(headers));
    }
}
