package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.CallIntent;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Calls that earlier owners began and whose records were not read yet, by instance.
///
/// **Contract.** Such a call may still run. If its record is in the present log, it takes its place in a lane when it is
/// read. If the record went with a former log, nothing takes its place, so a call of its instance waits for it (G2 in
/// `docs/guarantees.md`). Otherwise: `tool.call` is made anew, the call at its head starts, and one of the old topic runs
/// beside it.
///
/// Which of the two holds is not decided at the take-over, because only the first owner of the new log can tell that it
/// is new: for the second owner, offsets and frontier agree with the log, and the old call may still run (decision 48).
/// A call that began has no unfinished exclusive call of its instance before it, so a call with a record is removed here
/// before another one of its lane looks for it.
///
/// An intent stays on the journal when its record is gone, because it shows a duplicate that the call began. It counts
/// here for no longer than its call may run, by the append times of the journal. A call without turn and step is known
/// by its record alone, and no call waits for it.
///
/// **Threads.** Thread-safe. A call takes no lock when none has to wait, which is nearly always the case.
public final class FormerCalls {
    private final Map<String, Written> written = new HashMap<>();
    private Map<String, List<FormerCall>> byInstance = Map.of();
    private volatile boolean none = true;

    FormerCalls() {}

    private record Written(CallIntent intent, long at) {}

    synchronized void add(CallIntent intent, long writtenAt) {
        written.put(intent.identity(), new Written(intent, writtenAt));
    }

    synchronized void remove(String identity) {
        written.remove(identity);
        byInstance.values().forEach(calls -> calls.removeIf(call -> call.intent().identity().equals(identity)));
        countAgain();
    }

    private void countAgain() {
        none = byInstance.values().stream().allMatch(List::isEmpty);
    }

    /// Notes that a call of a former log does not run any more.
    public void over(FormerCall call) {
        remove(call.intent().identity());
    }

    /// Ends the restoring.
    ///
    /// @param now append time of the newest record of the journal; -1 for none
    synchronized void restored(long now) {
        byInstance = new HashMap<>();
        written.values().forEach(each -> {
            String instance = instance(each.intent().identity());
            Duration left = left(each, now);
            if (instance != null && left.isPositive())
                byInstance.computeIfAbsent(instance, _ -> new ArrayList<>()).add(new FormerCall(each.intent(), left));
        });
        written.clear();
        countAgain();
    }

    private static Duration left(Written each, long now) {
        long age = each.at() < 0 || now < 0 ? 0 : Math.max(0, now - each.at() - LogStart.CLOCKS_MILLIS);
        return each.intent().longestRun().minusMillis(age);
    }

    /// Returns the instance of a call's identity. Null if it names none, or belongs to an approved call, whose record
    /// is on `tool.call.resumed`.
    private static @Nullable String instance(String identity) {
        if (CallIdentity.isOfRecord(identity))
            return null;
        try {
            JsonNode parts = Json.MAPPER.readTree(identity);
            return parts.size() > 2 ? parts.path(0).asString(null) : null;
        } catch (JacksonException e) {
            // The key is not a worker's; a take-over must not fail on it.
            return null;
        }
    }

    /// Returns the calls for which a call has to wait before it starts; its own start is not among them.
    public List<FormerCall> before(IdentifiedCall call) {
        return none ? List.of() : instancesCalls(call);
    }

    private synchronized List<FormerCall> instancesCalls(IdentifiedCall call) {
        return byInstance.getOrDefault(call.arrival().call().instanceKey(), List.of()).stream()
                .filter(each -> !each.intent().identity().equals(call.identity().text())).toList();
    }
}
