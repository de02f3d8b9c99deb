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

/// The calls of a partition that wait for their handles, and how many of them each tool has. Guarded by the
/// [PartitionState] that has it.
final class WaitingCalls {
    private final Map<Digest128, Call> calls = new HashMap<>();
    private final ToolCounts tools = new ToolCounts();

    /// A call that waits for its handle. There may be very many: identity and fingerprint are kept as digests.
    record Call(Digest128 fingerprint, String handle, long callOffset, long calledAt, String instanceKey,
            String toolCallId, @Nullable String agentName, @Nullable String turnId,
            @Nullable String stepId, @Nullable ToolRef tool, @Nullable Digest128 asked) implements CancelCall.Target {
        static Call of(OpenHandle open, @Nullable ToolRef tool) {
            return new Call(Digest128.ofFingerprint(open.fingerprint()), open.handle(), open.callOffset(),
                    open.calledAt().toEpochMilli(), open.instanceKey(), open.toolCallId(), open.agentName(),
                    open.turnId(), open.stepId(), tool,
                    open.asked() == null ? null : Digest128.ofFingerprint(open.asked()));
        }

        /// A call that was made again, after its answer was forgotten, may wait for a handle that an earlier outcome names.
        boolean isFor(IdentifiedCall call, String outcomeOf) {
            return handle.equals(outcomeOf) && callOffset == call.arrival().position().offset();
        }

        /// Why a grant is none that was given for this wait; null when it may be.
        ///
        /// @param arguments digest of what the grant's record would run
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

    /// The call waits from now on; what it waited for until now, null for nothing.
    @Nullable
    Call add(Digest128 identity, OpenHandle handle) {
        Call before = remove(identity);
        calls.put(identity, Call.of(handle, tools.add(handle.tool())));
        return before;
    }

    /// The call waits no more; what it waited for, null for nothing.
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

    /// The tools whose calls they are.
    Set<ToolRef> tools() {
        return tools.all();
    }

    int size() {
        return calls.size();
    }

    /// When the oldest of them was appended, in epoch milliseconds.
    OptionalLong oldest() {
        return calls.values().stream().mapToLong(Call::calledAt).min();
    }

    /// How many each tool has; those that wait for a person have none.
    Map<Optional<ToolRef>, PendingTool> byTool() {
        Map<Optional<ToolRef>, PendingTool> all = new HashMap<>();
        for (Call call : calls.values())
            all.merge(Optional.ofNullable(call.tool()), new PendingTool(1, call.calledAt()), PendingTool::plus);
        return all;
    }

    /// The handles of those that are meant.
    ///
    /// @param writtenAt when the cancellation was appended, in epoch milliseconds
    List<String> meant(CancelCall cancel, long writtenAt) {
        return calls.values().stream().filter(call -> cancel.means(call, call.calledAt() <= writtenAt))
                .map(Call::handle).toList();
    }

    /// What to say of the handles of those that were cancelled.
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
