package dev.toolfleet.worker.identity;

import java.util.HashMap;
import java.util.Map;

/// Calls of a partition that wait for a person, or are about to, by instance.
///
/// **Contract.** A call counts once, from the moment at which it may ask a person until it is granted or ends.
///
/// **Threads.** [PartitionState] guards it.
///
/// **Why.** Calls that are about to ask count too: read-only calls of an instance run side by side, and a lane goes on
/// before a call's result is committed. Otherwise: twenty-one calls read the journal, each finds twenty free places,
/// and all ask.
final class OpenApprovals {
    private final Map<Digest128, Call> calls = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    /// @param waits whether its pending result is committed
    private record Call(String instance, boolean waits) {}

    /// Counts a call that is about to ask a person. Returns false if too many calls of the instance wait for that.
    ///
    /// @param most the most that may wait
    boolean asks(Digest128 identity, String instance, int most) {
        if (calls.containsKey(identity))
            return true;
        if (of(instance) >= most)
            return false;
        put(identity, new Call(instance, false));
        return true;
    }

    /// Notes that the call waits for a person, by the journal's entry.
    void waits(Digest128 identity, String instance) {
        ended(identity);
        put(identity, new Call(instance, true));
    }

    /// Notes that the call does not run any more. If it was about to ask, it has not asked.
    void ranOut(Digest128 identity) {
        Call call = calls.get(identity);
        if (call != null && !call.waits())
            ended(identity);
    }

    /// Notes that the call was granted, or has ended.
    void ended(Digest128 identity) {
        Call call = calls.remove(identity);
        if (call != null)
            counts.computeIfPresent(call.instance(), (_, count) -> count == 1 ? null : count - 1);
    }

    /// Returns the number of an instance's calls.
    int of(String instance) {
        return counts.getOrDefault(instance, 0);
    }

    private void put(Digest128 identity, Call call) {
        calls.put(identity, call);
        counts.merge(call.instance(), 1, Integer::sum);
    }
}
