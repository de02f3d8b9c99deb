package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.CallIntent;
import tools.jackson.core.JacksonException;

/// Starts of earlier owners that are not yet in the lanes of a partition that was just taken over.
///
/// **Contract.** Such a call may still run where it began. So it must be in its lane before any call of its instance
/// from the other of the two topics (G2 in `docs/guarantees.md`). Calls wait for approved calls that began, and other
/// approved calls wait for calls that began. Approved calls that began wait for no other call, so there is no circle.
///
/// **Threads.** Not thread-safe: [PartitionState] guards it.
final class UnclaimedStarts {

    /// Time that a call may need for its end and its result after its deadline, and more.
    private static final Duration SLACK = Duration.ofMinutes(1);

    private final Set<String> calls = new HashSet<>();
    private final Set<String> grants = new HashSet<>();
    private long callsEnd;
    private long openedNanos;
    /// Longest remaining run of a call that began.
    private Duration longestRun = Duration.ZERO;
    private long grantsEnd;

    /// @param resumedEnd the end of `tool.call.resumed` when the partition was taken over: no start lies behind it
    /// @param log the start of reading on `tool.call`, and its end when the partition was taken over: no call that
    /// began lies behind that
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

    /// Stops waiting for calls once the end of the log is reached. Otherwise: a topic was made anew or truncated, the
    /// record of a call that began never comes, and approvals wait for it for ever.
    private void reached(long offset) {
        if (offset >= callsEnd)
            calls.clear();
    }

    /// True for the start of an approved call. Its name has two parts, call and handle; a call's own name has more.
    private static boolean isOfGrant(String identity) {
        try {
            return Json.MAPPER.readTree(identity).size() == 2;
        } catch (JacksonException e) {
            // The key is not a worker's; a take-over must not fail on it.
            return false;
        }
    }

    boolean admits(Arrival arrival, long nanos) {
        // Otherwise: an approval waits for a call that is not read while its lane is full, the lane waits for its
        // tool's slot, and the slot for the outcome of a pending call, which lies behind the approval.
        if (!calls.isEmpty() && nanos - openedNanos > longestRun.plus(SLACK).toNanos())
            calls.clear();
        return switch (arrival) {
            case Arrival.Granted granted -> calls.isEmpty() || began(granted);
            case Arrival.Call _,Arrival.Malformed _ -> grants.isEmpty();
        };
    }

    /// True if an earlier owner announced the start of an approved call.
    boolean began(Arrival.Granted granted) {
        return !grants.isEmpty() && grants.contains(name(granted));
    }

    private static String name(Arrival.Granted granted) {
        return identity(granted.call()).resumedBy(granted.grant().handle()).text();
    }

    private static CallIdentity identity(Arrival.Call call) {
        return CallIdentity.of(call.call(), call.position().partition(), call.position().offset());
    }

    /// Notes that an arrival is in its lane.
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

    /// Notes that every call below `offset` is finished.
    void frontier(long offset) {
        reached(offset);
    }

    /// Notes that approved calls before `position` were read, and that those that began were offered. Returns true if
    /// no call has to wait.
    boolean settled(long position) {
        if (position >= grantsEnd)
            grants.clear();
        return grants.isEmpty();
    }
}
