package dev.toolfleet.worker.identity;

import java.util.HashMap;
import java.util.Map;

/// Calls of a partition that wait for a person, and those about to, by instance. A call counts once, from the moment at
/// which a person is to be asked until it is granted or ends. Guarded by the [PartitionState] that has it.
///
/// Why calls that are about to: read-only calls of an instance run beside each other, and a lane goes on before what it
/// did is committed. Otherwise: twenty-one calls look at the journal, each finds twenty free places, and all are asked.
final class OpenApprovals {
    private final Map<Digest128, Call> calls = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    /// @param waits whether its pending result is committed
    private record Call(String instance, boolean waits) {}

    /// A person is to be asked about the call. False when too many calls of the instance wait for that.
    ///
    /// @param most how many may
    boolean asks(Digest128 identity, String instance, int most) {
        if (calls.containsKey(identity))
            return true;
        if (of(instance) >= most)
            return false;
        put(identity, new Call(instance, false));
        return true;
    }

    /// The call waits for a person, as the journal says.
    void waits(Digest128 identity, String instance) {
        ended(identity);
        put(identity, new Call(instance, true));
    }

    /// The call does not run any more. If it was to be asked about, it was not.
    void ranOut(Digest128 identity) {
        Call call = calls.get(identity);
        if (call != null && !call.waits())
            ended(identity);
    }

    /// The call was granted, or has ended.
    void ended(Digest128 identity) {
        Call call = calls.remove(identity);
        if (call != null)
            counts.computeIfPresent(call.instance(), (_, count) -> count == 1 ? null : count - 1);
    }

    /// The number of an instance's calls.
    int of(String instance) {
        return counts.getOrDefault(instance, 0);
    }

    private void put(Digest128 identity, Call call) {
        calls.put(identity, call);
        counts.merge(call.instance(), 1, Integer::sum);
    }
}
