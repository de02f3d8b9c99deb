package dev.toolfleet.worker.pipeline;

import java.time.InstantSource;
import java.util.function.BiFunction;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.wire.ToolError;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/// What the heir of a partition is told of a call that ended on the worker that had it before (decision 0007). Guarded by
/// whoever publishes the result.
///
/// @param told how an error reads that is published
record HandOverRecords(ResultRecords results, SideRecords sides, JournalRecords journal, InstantSource clock,
        BiFunction<CallRun, ToolError, ToolError> told) {

    /// Null when the heir has nothing to wait for.
    @Nullable
    ProducerRecord<byte[], byte[]> of(CallRun run, @Nullable ToolReply reply) {
        CallIntent intent = run.intent();
        if (reply == null || intent == null || intent.member() == null)
            return null;
        try {
            ProducerRecord<byte[], byte[]> record = journal.handOver(run, handedOver(run, intent, reply));
            if (record.value().length <= results.maxBytes())
                return record;
            return journal.handOver(run, handedOver(run, intent, new ToolReply.Failed(ToolError.of(
                    ErrorCode.E_TOOL_RESULT_TOO_LARGE, "The tool's result has " + record.value().length
                            + " bytes; it ended on another worker, and cannot be handed over."))));
        } catch (RuntimeException | StackOverflowError e) {
            return journal.handOver(run, handedOver(run, intent, new ToolReply.Failed(ToolError.of(
                    ErrorCode.E_TOOL_RESULT_INVALID, "The call's answer cannot be published: "
                            + e.getClass().getName()))));
        }
    }

    private HandOver handedOver(CallRun run, CallIntent intent, ToolReply reply) {
        ToolReply bounded = reply instanceof ToolReply.Failed(var error)
                ? new ToolReply.Failed(told.apply(run, error))
                : reply;
        return new HandOver(intent.identity(), String.valueOf(intent.member()), intent.epoch(), intent.attempt(),
                results.value(run, bounded), bounded instanceof ToolReply.Pending pending
                        ? PendingCalls.of(run, pending, clock.instant()).forCall(JournalRecords.bare(run), null)
                        : null,
                bounded instanceof ToolReply.Failed(var error) ? sides.errorEvent(run, error) : null,
                run.sends().events(),
                run.sends().instances());
    }
}
