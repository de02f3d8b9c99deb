package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.PendingCall;

/// Cancellations that callers wrote, and when the brokers appended each call, by [SimCall#mark]. The rule of
/// `docs/topics.md` once more, and not the engine's: all ids must fit, and without a step the call must lie before.
final class WrittenCancels {
    private final Map<String, Long> appendedAt = new HashMap<>();
    private final List<Written> all = new ArrayList<>();

    /// @param writtenAt by the clock of the topic's leader
    record Written(CancelCall cancel, long writtenAt) {}

    void asked(SimCall call, long at) {
        appendedAt.put(call.mark(), at);
    }

    void add(CancelCall cancel, long writtenAt) {
        all.add(new Written(cancel, writtenAt));
    }

    /// True if a caller has cancelled the call.
    boolean mean(SimCall call) {
        return any(one -> means(one, call));
    }

    /// True if a caller has cancelled the call behind a handle, or the handle.
    boolean mean(SimCall call, PendingCall pending) {
        return mean(call) || any(one -> pending.handle().equals(one.cancel().handle()));
    }

    private boolean any(Predicate<Written> condition) {
        return all.stream().anyMatch(condition);
    }

    /// True if a cancellation that names no handle means the call.
    boolean means(Written one, SimCall call) {
        CancelCall cancel = one.cancel();
        return cancel.handle() == null && cancel.instanceKey().equals(call.instance())
                && call.id().equals(cancel.toolCallId())
                && (cancel.stepId() != null || appendedAt.getOrDefault(call.mark(), 0L) <= one.writtenAt());
    }
}
