package dev.toolfleet.worker.identity;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.OpenHandle;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolRef;
import org.jspecify.annotations.Nullable;

/// Calls of a partition that wait for their handles, with their number for each tool. [PartitionState] guards it.
final class WaitingCalls {
    private final Map<Digest128, Call> calls = new HashMap<>();
    private final ToolCounts tools = new ToolCounts();

    /// Call that waits for its handle. There may be very many: identity and fingerprint are kept as digests.
    record Call(Digest128 fingerprint, String handle, long callOffset, long calledAt, String instanceKey,
            String toolCallId, @Nullable String agentName, @Nullable String turnId,
            @Nullable String stepId, @Nullable ToolRef tool, @Nullable Digest128 asked) implements CancelCall.Target {
        static Call of(OpenHandle open, @Nullable ToolRef tool) {
            return new Call(Digest128.ofFingerprint(open.fingerprint()), open.handle(), open.callOffset(),
                    open.calledAt().toEpochMilli(), open.instanceKey(), open.toolCallId(), open.agentName(),
                    open.turnId(), open.stepId(), tool,
                    open.asked() == null ? null : Digest128.ofFingerprint(open.asked()));
        }

        /// True if the call waits for this handle. A call that was made again, after its answer was forgotten, may wait
        /// for a handle that an earlier outcome names.
        boolean isFor(IdentifiedCall call, String outcomeOf) {
            return handle.equals(outcomeOf) && callOffset == call.arrival().position().offset();
        }

        /// Returns the reason why a grant was not given for this wait; null if it may have been.
        ///
        /// @param arguments digest of the arguments that the grant's record would run
        @Nullable
        String whyForged(IdentifiedCall call, Digest128 arguments, ResumedCall.Grant grant) {
            if (tool != null)
                return "the handle waits for work and for no person";
            if (!arguments.equals(fingerprint) || !call.fingerprintDigest().equals(fingerprint))
                return "it has other arguments than the call that waits";
            return asked == null || asked.equals(Digest128.ofFingerprint(grant.fingerprint()))
                    ? null
                    : "it approves other arguments than a person was asked about";
        }
    }

    /// Adds a call that waits from now on. Returns its earlier wait; null if there was none.
    @Nullable
    Call add(Digest128 identity, OpenHandle handle) {
        Call before = remove(identity);
        calls.put(identity, Call.of(handle, tools.add(handle.tool())));
        return before;
    }

    /// Removes a call that waits no more. Returns its wait; null if there was none.
    @Nullable
    Call remove(Digest128 identity) {
        Call ended = calls.remove(identity);
        if (ended != null)
            tools.remove(ended.tool());
        return ended;
    }

    @Nullable
    Call of(Digest128 identity) {
        return calls.get(identity);
    }

    int of(ToolRef tool) {
        return tools.of(tool);
    }

    /// Returns the tools of these calls.
    Set<ToolRef> tools() {
        return tools.all();
    }

    int size() {
        return calls.size();
    }

    /// Returns the append time of the oldest of them, in epoch milliseconds.
    OptionalLong oldest() {
        return calls.values().stream().mapToLong(Call::calledAt).min();
    }

    /// Returns the number of calls for each tool; calls that wait for a person have none.
    Map<Optional<ToolRef>, PendingTool> byTool() {
        Map<Optional<ToolRef>, PendingTool> all = new HashMap<>();
        for (Call call : calls.values())
            all.merge(Optional.ofNullable(call.tool()), new PendingTool(1, call.calledAt()), PendingTool::plus);
        return all;
    }

    /// Returns the handles of the calls that a cancellation means.
    ///
    /// @param writtenAt append time of the cancellation, in epoch milliseconds
    List<String> meant(CancelCall cancel, long writtenAt) {
        return calls.values().stream().filter(call -> cancel.means(call, call.calledAt() <= writtenAt))
                .map(Call::handle).toList();
    }

    /// Returns the cancellations of the handles of cancelled calls.
    List<CancelCall> cancelled(Cancellations cancellations) {
        List<CancelCall> found = new ArrayList<>();
        for (Call call : calls.values()) {
            CancelCall cancel = cancellations.of(call, call.calledAt());
            if (cancel != null)
                found.add(cancel.ofHandle(call.handle()));
        }
        return found;
    }
}
