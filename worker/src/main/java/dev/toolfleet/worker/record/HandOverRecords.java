package dev.toolfleet.worker.record;

import java.time.InstantSource;
import java.util.List;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.worker.call.CallFacts;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/// Hand-overs to the next owner of a partition, for calls that ended on the worker that had it before (decision 0007). Guarded by
/// the publisher of the result, which also cuts its error: what is cut before hides half a secret from the guard.
record HandOverRecords(ResultRecords results, SideRecords sides, JournalRecords journal, InstantSource clock) {

    /// Null when the heir has nothing to wait for.
    ///
    /// @param waits what was to be kept of a pending call; it may have been handed over before
    @Nullable
    ProducerRecord<byte[], byte[]> of(CallFacts run, @Nullable ToolReply reply, @Nullable PendingCall waits) {
        CallIntent intent = run.intent();
        if (reply == null || intent == null || intent.member() == null)
            return null;
        try {
            ProducerRecord<byte[], byte[]> record = journal.handOver(run, handedOver(run, intent, reply, waits));
            if (record.value().length <= results.maxBytes())
                return record;
            return journal.handOver(run, handedOver(run, intent, new ToolReply.Failed(ToolError.of(
                    ErrorCode.E_TOOL_RESULT_TOO_LARGE, "The tool's result has " + record.value().length
                            + " bytes; it ended on another worker, and cannot be handed over.")),
                    null));
        } catch (RuntimeException | StackOverflowError e) {
            return journal.handOver(run, handedOver(run, intent, new ToolReply.Failed(ToolError.of(
                    ErrorCode.E_TOOL_RESULT_INVALID, "The call's answer cannot be published: "
                            + e.getClass().getName())),
                    null));
        }
    }

    private HandOver handedOver(CallFacts run, CallIntent intent, ToolReply reply, @Nullable PendingCall waits) {
        ToolError error = reply instanceof ToolReply.Failed(var failed)
                ? PublishableError.of(failed, PublishableError.MAX_MESSAGE)
                : null;
        return new HandOver(intent.identity(), String.valueOf(intent.member()), intent.epoch(), intent.attempt(),
                results.value(run, error == null ? reply : new ToolReply.Failed(error)),
                reply instanceof ToolReply.Pending pending ? pending(run, pending, waits) : null,
                error == null ? null : sides.errorEvent(run, error),
                // A failed call sends nothing to agents.
                error == null ? run.sends().events() : List.of(),
                error == null ? run.sends().instances() : List.of());
    }

    private PendingCall pending(CallFacts run, ToolReply.Pending reply, @Nullable PendingCall waits) {
        PendingCall kept = waits == null ? PendingRecords.of(run, reply, null, clock.instant()) : waits;
        return kept.forCall(JournalRecords.bare(run), null);
    }
}
