package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.CallIntent;
import tools.jackson.core.JacksonException;

/// Which starts of earlier owners are still to be taken into the lanes of a partition that was just taken over. They may
/// be running where they began, so each has to be in its lane before anything else of its instance that comes from the
/// other of the two topics (G2): calls wait for approved calls that began, and other approved calls wait for calls that
/// began. Approved calls that began wait for nobody, so nobody waits in a circle. Not thread-safe: [PartitionState] guards
/// it.
final class Claims {

    /// The time that a call has for its end and its result after its deadline, and more.
    private static final Duration SLACK = Duration.ofMinutes(1);

    private final Set<String> calls = new HashSet<>();
    private final Set<String> grants = new HashSet<>();
    private long callsEnd;
    private long openedNanos;
    /// Nothing that began runs for longer from then on.
    private Duration longestRun = Duration.ZERO;
    private long grantsEnd;

    /// @param resumedEnd where `tool.call.resumed` ended when the partition was taken over: no start lies behind it
    /// @param log where `tool.call` is read from, and where it ended when the partition was taken over: no call that
    ///        began lies behind that
    /// @param nanos the monotonic time of the take-over
    void open(Collection<CallIntent> intents, long resumedEnd, LogStart log, long nanos) {
        grantsEnd = resumedEnd;
        callsEnd = log.end();
        openedNanos = nanos;
        for (CallIntent intent : intents) {
            (isOfGrant(intent.identity()) ? grants : calls).add(intent.identity());
            Duration run = intent.longestRun();
            longestRun = run.compareTo(longestRun) > 0 ? run : longestRun;
        }
        reached(log.offset());
    }

    /// A call that began may have no record any more, and never come: its topic was made anew, or truncated. Otherwise:
    /// approvals wait for it for ever.
    private void reached(long offset) {
        if (offset >= callsEnd)
            calls.clear();
    }

    /// The start of an approved call has the name of its call and its handle, two parts; a call's own has more.
    private static boolean isOfGrant(String identity) {
        try {
            return Json.MAPPER.readTree(identity).size() == 2;
        } catch (JacksonException e) {
            // Not one of ours; a take-over must not fail on it.
            return false;
        }
    }

    boolean admits(Arrival arrival, long nanos) {
        // Otherwise: an approval waits for a call that is not read while its lane is full, the lane waits for its tool's
        // slot, and the slot for the outcome of a pending call, which lies behind the approval.
        if (!calls.isEmpty() && nanos - openedNanos > longestRun.plus(SLACK).toNanos())
            calls.clear();
        return switch (arrival) {
            case Arrival.Granted granted -> calls.isEmpty() || began(granted);
            case Arrival.Call _,Arrival.Malformed _ -> grants.isEmpty();
        };
    }

    /// Whether an earlier owner announced the start of an approved call.
    boolean began(Arrival.Granted granted) {
        return !grants.isEmpty() && grants.contains(name(granted));
    }

    private static String name(Arrival.Granted granted) {
        return identity(granted.call()).resumedBy(granted.grant().handle()).text();
    }

    private static CallIdentity identity(Arrival.Call call) {
        return CallIdentity.of(call.call(), call.position().partition(), call.position().offset());
    }

    /// An arrival is in its lane.
    void claimed(Arrival arrival) {
        switch (arrival) {
            case Arrival.Granted granted -> {
                if (!grants.isEmpty())
                    grants.remove(name(granted));
            }
            case Arrival.Call call -> {
                if (calls.isEmpty())
                    return;
                calls.remove(identity(call).text());
                // Calls come in their order: those before this one have come.
                reached(call.position().offset() + 1);
            }
            case Arrival.Malformed malformed -> reached(malformed.position().offset() + 1);
        }
    }

    /// Every call below `offset` is finished.
    void frontier(long offset) {
        reached(offset);
    }

    /// Approved calls before `position` were read, and those that began were offered. True when no call has to wait.
    boolean settled(long position) {
        if (position >= grantsEnd)
            grants.clear();
        return grants.isEmpty();
    }
}
