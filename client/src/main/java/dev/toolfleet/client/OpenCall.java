package dev.toolfleet.client;

import java.util.Map;
import java.util.Optional;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;

/// A call without its final result, and the data that results are matched by. Guarded by the lock of [OpenCalls].
final class OpenCall {
    /// A place on `tool.call`.
    record CallRecord(int partition, long offset) {}

    /// A pending result.
    ///
    /// @param offset on `tool.result`
    /// @param replayed true if the fleet repeated it for a duplicate of the call that waits
    record PendingAt(int partition, long offset, String handle, boolean replayed) {}

    /// The call's name in messages.
    final String label;
    /// Empty only for a call that is awaited by its record, since its instance is not known.
    final Optional<String> instanceKey;
    /// The first offset on `tool.result` that may hold a result, by partition.
    final Map<Integer, Long> from;
    final CallHandle handle;

    private final Optional<String> toolCallId;
    private final Optional<String> fingerprint;
    private Optional<CallIdentity> identity;
    private Optional<CallRecord> record = Optional.empty();
    private Optional<PendingAt> pending = Optional.empty();
    private long lastOffset = -1;

    private OpenCall(String label, Optional<String> instanceKey, Map<Integer, Long> from, CallHandle handle,
            Optional<String> toolCallId, Optional<String> fingerprint, Optional<CallIdentity> identity) {
        this.label = label;
        this.instanceKey = instanceKey;
        this.from = from;
        this.handle = handle;
        this.toolCallId = toolCallId;
        this.fingerprint = fingerprint;
        this.identity = identity;
    }

    /// A call that is about to be sent.
    static OpenCall sending(ToolCall call, Map<Integer, Long> from, CallHandle handle) {
        return new OpenCall("call '" + call.id() + "' (" + call.name() + ") of instance '" + call.instanceKey() + "'",
                Optional.of(call.instanceKey()), from, handle, Optional.of(call.id()),
                Optional.of(Fingerprint.of(call.name(), call.args())),
                CallIdentity.isNamed(call) ? Optional.of(CallIdentity.of(call, 0, 0)) : Optional.empty());
    }

    /// A call that an earlier client sent.
    static OpenCall awaited(CallIdentity identity, Optional<String> instanceKey, Map<Integer, Long> from,
            CallHandle handle) {
        return new OpenCall("the call with identity " + identity.text(), instanceKey, from, handle, Optional.empty(),
                Optional.empty(), Optional.of(identity));
    }

    boolean awaited() {
        return toolCallId.isEmpty();
    }

    boolean isSending() {
        return !awaited() && record.isEmpty();
    }

    Optional<CallRecord> record() {
        return record;
    }

    Optional<CallIdentity> identity() {
        return identity;
    }

    /// Its latest pending result.
    Optional<PendingAt> pending() {
        return pending;
    }

    /// Returns the first offset on `tool.result` that a client must read to await this call, by partition: the pending
    /// result, and everything after it.
    Map<Integer, Long> needed() {
        if (pending.isPresent())
            return Map.of(pending.get().partition(), pending.get().offset());
        return record.map(where -> Map.of(where.partition(), from.getOrDefault(where.partition(), 0L))).orElse(from);
    }

    void sentAt(CallIdentity newIdentity, CallRecord where) {
        identity = Optional.of(newIdentity);
        record = Optional.of(where);
    }

    /// True if `arrived` answers this very call, or is the replayed answer to a duplicate of it.
    boolean matches(ArrivedResult arrived) {
        if (awaited())
            return identity.filter(arrived.identity()::equals).isPresent() && !answersAnotherCall(arrived.result());
        ToolResult result = arrived.result();
        CallRecord answered = new CallRecord(arrived.partition(), result.callOffset());
        if (record.filter(answered::equals).isPresent())
            return toolCallId.filter(result.toolCallId()::equals).isPresent();
        // Another call's own result does not count here: the fleet repeats it for the duplicate. A pending call is
        // different. The fleet repeats only the pending result; the final one comes once, for all of them.
        boolean meant = result.replayed()
                || (result.isFinal() && pending.filter(PendingAt::replayed).isPresent()
                        && !answersAnotherCall(result));
        return meant && identity.filter(arrived.identity()::equals).isPresent()
                && (result.fingerprint() == null || fingerprint.filter(result.fingerprint()::equals).isPresent());
    }

    /// Takes a matching result, once. A partition may be read again.
    boolean take(ArrivedResult arrived) {
        if (arrived.offset() <= lastOffset)
            return false;
        lastOffset = arrived.offset();
        ToolResult result = arrived.result();
        if (!result.isFinal()) {
            pending = Optional.of(new PendingAt(arrived.partition(), arrived.offset(),
                    String.valueOf(result.handle()), result.replayed()));
        }
        if (awaited())
            handle.completeSent(new SentCall(arrived.identity(), arrived.partition(), arrived.result().callOffset()));
        handle.deliver(result);
        return true;
    }

    /// The rejection of a conflicting call has the identity of the call that it conflicts with.
    private static boolean answersAnotherCall(ToolResult result) {
        return result.error() != null && result.error().code().equals(ErrorCode.E_CALL_IDENTITY_CONFLICT.name());
    }
}
