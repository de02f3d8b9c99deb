package dev.toolfleet.gateway.topology;

import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.CallWait;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.jspecify.annotations.Nullable;

/// Facts of a call's parts that its head shows. Outputs of results are passed over. Pure.
///
/// **Contract.** The same set of parts has the same facts, in whatever order the parts came; and the head has the stage of
/// the call's view (`CallHistory`).
final class PartFacts {
    private static final WireCodec<CallWait> WAITS = WireCodec.of(CallWait.class);
    private static final WireCodec<ToolProgress> PROGRESS = WireCodec.of(ToolProgress.class);

    private final Map<String, CallWait> waits = new LinkedHashMap<>();
    private final Set<String> ended = new HashSet<>();
    private boolean reported;
    private @Nullable Answered pending;
    private @Nullable Answered end;

    /// Result by its offset.
    private record Answered(long offset, Instant at, ResultHead head) {}

    /// Adds a part other than the call itself. One that this version cannot read is left out.
    void add(byte[] key, byte[] value) {
        try {
            switch (Part.of(key)) {
                case WAIT -> waits.put(Part.handle(key), WAITS.read(Part.afterTime(value)));
                case END -> ended.add(Part.handle(key));
                case PROGRESS -> reported |= isProgress(Part.afterTime(value));
                case RESULT -> answered(key, value);
                case CALL, DECISION -> {
                    // No fact of a head.
                }
            }
        } catch (WireFormatException e) {
            // Written by another version; the other parts still count.
        }
    }

    private void answered(byte[] key, byte[] value) {
        ResultHead head = ResultHead.read(StoredResult.read(value).record());
        if (head == null)
            return;
        Answered answer = new Answered(Part.offset(key), Instant.ofEpochMilli(Part.time(value)), head);
        // The first final result counts, and the latest pending one.
        if (head.isFinal())
            end = end == null || answer.offset() < end.offset() ? answer : end;
        else
            pending = pending == null || answer.offset() > pending.offset() ? answer : pending;
    }

    /// True for a report of progress that this version can read.
    static boolean isProgress(byte[] record) {
        try {
            PROGRESS.read(record);
            return true;
        } catch (WireFormatException e) {
            return false;
        }
    }

    /// Returns the summary of the call that has these parts.
    CallSummary of(CallSummary call) {
        if (end != null)
            return ended(call, end.head(), end.at());
        return call.in(
                StageRule.stage(StageRule.openWait(waits.values(), ended).orElse(null),
                        pending == null ? null : pending.head().handle(), ended, reported),
                pending != null && pending.head().replayed());
    }

    /// Returns the summary of a call that has this final result.
    static CallSummary ended(CallSummary call, ResultHead result, Instant at) {
        return call.ended(result.finalStatus(), result.code(), at, result.replayed());
    }
}
