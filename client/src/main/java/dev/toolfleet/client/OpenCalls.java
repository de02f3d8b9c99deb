package dev.toolfleet.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import dev.toolfleet.identity.CallIdentity;

/// Index of the open calls. It finds the calls that a result answers: the call at the result's partition and call
/// offset, or, for a replayed result, those of its identity. Passes results to the calls' handles under the lock, so
/// that each handle gets them in order. No I/O; thread-safe.
final class OpenCalls {
    private final Set<OpenCall> open = new LinkedHashSet<>();
    private final Map<OpenCall.CallRecord, OpenCall> byRecord = new HashMap<>();
    private final Map<CallIdentity, List<OpenCall>> byIdentity = new HashMap<>();
    private final Map<String, Integer> byInstance = new HashMap<>();
    private int withoutInstance;
    private final ParkedResults parked = new ParkedResults();

    /// Adds a call before it is sent, or as soon as it is awaited.
    synchronized void register(OpenCall call) {
        open.add(call);
        call.identity().ifPresent(identity -> index(identity, call));
        call.instanceKey.ifPresentOrElse(key -> byInstance.merge(key, 1, Integer::sum), () -> withoutInstance++);
        if (call.isSending())
            call.instanceKey.ifPresent(key -> parked.sending(key, call));
    }

    /// Records the place of a call when the broker has it; also if the call has ended meanwhile.
    synchronized void sent(OpenCall call, CallIdentity identity, int partition, long offset) {
        call.handle.completeSent(new SentCall(identity, partition, offset));
        if (!open.contains(call))
            return;
        if (call.identity().isEmpty())
            index(identity, call);
        OpenCall.CallRecord where = new OpenCall.CallRecord(partition, offset);
        call.sentAt(identity, where);
        byRecord.put(where, call);
        call.instanceKey.ifPresent(key -> parked.take(key, call).forEach(arrived -> take(call, arrived)));
        doneSending(call);
    }

    /// Passes a result to the calls that it answers.
    synchronized void offer(ArrivedResult arrived) {
        Set<OpenCall> candidates = new LinkedHashSet<>(byIdentity.getOrDefault(arrived.identity(), List.of()));
        OpenCall own = byRecord.get(new OpenCall.CallRecord(arrived.partition(), arrived.result().callOffset()));
        if (own != null)
            candidates.add(own);
        boolean matched = false;
        for (OpenCall call : candidates) {
            if (call.matches(arrived)) {
                matched = true;
                take(call, arrived);
            }
        }
        if (!matched)
            parked.park(arrived);
    }

    /// Forgets a call, which then gets no result.
    ///
    /// @return false when it had ended already
    synchronized boolean remove(OpenCall call) {
        if (!open.remove(call))
            return false;
        call.identity().ifPresent(identity -> byIdentity.computeIfPresent(identity, (key, calls) -> {
            calls.remove(call);
            return calls.isEmpty() ? null : calls;
        }));
        call.record().ifPresent(byRecord::remove);
        call.instanceKey.ifPresentOrElse(key -> decrement(byInstance, key), () -> withoutInstance--);
        if (call.isSending())
            doneSending(call);
        return true;
    }

    /// True if a result of that instance may answer an open call.
    synchronized boolean concerns(String instanceKey) {
        return withoutInstance > 0 || byInstance.containsKey(instanceKey);
    }

    /// The latest pending result of a call.
    synchronized Optional<OpenCall.PendingAt> pending(OpenCall call) {
        return call.pending();
    }

    /// Number of results that wait until the producer reports the place of their calls.
    synchronized int parked() {
        return parked.size();
    }

    /// Every open call, oldest first.
    synchronized List<OpenCall> all() {
        return List.copyOf(open);
    }

    /// The lowest offset that an open call still needs, by partition.
    synchronized Map<Integer, Long> needed() {
        Map<Integer, Long> lowest = new HashMap<>();
        for (OpenCall call : open)
            call.needed().forEach((partition, offset) -> lowest.merge(partition, offset, Math::min));
        return lowest;
    }

    private void take(OpenCall call, ArrivedResult arrived) {
        if (call.take(arrived) && arrived.result().isFinal())
            remove(call);
    }

    private void index(CallIdentity identity, OpenCall call) {
        byIdentity.computeIfAbsent(identity, key -> new ArrayList<>(1)).add(call);
    }

    private void doneSending(OpenCall call) {
        call.instanceKey.ifPresent(key -> parked.done(key, call));
    }

    private static void decrement(Map<String, Integer> counts, String key) {
        counts.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1);
    }
}
