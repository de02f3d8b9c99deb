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

/// Calls that earlier owners began and whose records went with a former log of the partition, by instance. They may run
/// still, and no record of the present log takes their place in a lane. So a call of their instance waits for them (G2).
/// Otherwise: `tool.call` is made anew, the call at its head starts, and one of the old topic runs beside it.
///
/// An intent stays on the journal when its record is gone, since it shows to a duplicate that the call began. It counts here
/// for no longer than its call may run, by the append times of the journal. A call without turn and step is known by its
/// record alone, and nobody waits for it.
///
/// **Threads.** [PartitionState] guards it, but for [#none].
final class FormerCalls {
    private final Map<String, Written> written = new HashMap<>();
    private Map<String, List<FormerCall>> byInstance = Map.of();

    private volatile boolean none = true;

    private record Written(CallIntent intent, long at) {}

    void add(CallIntent intent, long writtenAt) {
        written.put(intent.identity(), new Written(intent, writtenAt));
    }

    void remove(String identity) {
        written.remove(identity);
        byInstance.values().forEach(calls -> calls.removeIf(call -> call.intent().identity().equals(identity)));
        countAgain();
    }

    private void countAgain() {
        none = byInstance.values().stream().allMatch(List::isEmpty);
    }

    /// True when no call has to wait, as almost always. Without a lock, as every call asks.
    boolean none() {
        return none;
    }

    /// Everything is restored.
    ///
    /// @param sameLog whether the records of what began are in the present log
    /// @param now append time of the newest record of the journal; -1 for none
    void restored(boolean sameLog, long now) {
        byInstance = new HashMap<>();
        if (!sameLog) {
            written.values().forEach(each -> {
                String instance = instance(each.intent().identity());
                Duration left = left(each, now);
                if (instance != null && left.isPositive())
                    byInstance.computeIfAbsent(instance, _ -> new ArrayList<>())
                            .add(new FormerCall(each.intent(), left));
            });
        }
        written.clear();
        countAgain();
    }

    private static Duration left(Written each, long now) {
        long age = each.at() < 0 || now < 0 ? 0 : Math.max(0, now - each.at() - LogStart.CLOCKS_MILLIS);
        return each.intent().longestRun().minusMillis(age);
    }

    /// The instance of a call's identity; null when it names none, or is that of an approved call, whose record is on
    /// `tool.call.resumed`.
    private static @Nullable String instance(String identity) {
        if (CallIdentity.isOfRecord(identity))
            return null;
        try {
            JsonNode parts = Json.MAPPER.readTree(identity);
            return parts.size() > 2 ? parts.path(0).asString(null) : null;
        } catch (JacksonException e) {
            // Not one of ours; a take-over must not fail on it.
            return null;
        }
    }

    /// Those for which a call has to wait; its own start is none of them.
    List<FormerCall> before(IdentifiedCall call) {
        return byInstance.getOrDefault(call.arrival().call().instanceKey(), List.of()).stream()
                .filter(each -> !each.intent().identity().equals(call.identity().text())).toList();
    }
}
