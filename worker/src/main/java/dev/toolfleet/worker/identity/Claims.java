package dev.toolfleet.worker.identity;

import java.time.Duration;
import java.time.Instant;
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
    /// How far workers' and brokers' clocks may be apart.
    private static final Duration CLOCKS = Duration.ofMinutes(1);

    private final Set<String> calls = new HashSet<>();
    private final Set<String> grants = new HashSet<>();
    private Instant lastStart = Instant.MIN;
    /// Nothing that began runs for longer.
    private Instant lastDeadline = Instant.MIN;
    private long grantsEnd;

    /// @param resumedEnd where `tool.call.resumed` ended when the partition was taken over: no start lies behind it
    void open(Collection<CallIntent> intents, long resumedEnd) {
        grantsEnd = resumedEnd;
        for (CallIntent intent : intents) {
            (isOfGrant(intent.identity()) ? grants : calls).add(intent.identity());
            if (intent.startedAt().isAfter(lastStart))
                lastStart = intent.startedAt();
            Instant deadline = intent.deadline() == null ? intent.startedAt() : intent.deadline();
            if (deadline.isAfter(lastDeadline))
                lastDeadline = deadline;
        }
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

    boolean admits(Arrival arrival, Instant now) {
        // A call that began may have no record any more, and never come. Otherwise: approvals wait for it for ever.
        if (!calls.isEmpty() && now.isAfter(lastDeadline.plus(CLOCKS)))
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
                // Calls come in their order: what was announced before this one was written has come, or never will.
                if (call.appendedAt() > lastStart.plus(CLOCKS).toEpochMilli())
                    calls.clear();
            }
            case Arrival.Malformed _ -> {
            }
        }
    }

    /// Approved calls before `position` were read, and those that began were offered. True when no call has to wait.
    boolean settled(long position) {
        if (position >= grantsEnd)
            grants.clear();
        return grants.isEmpty();
    }
}
