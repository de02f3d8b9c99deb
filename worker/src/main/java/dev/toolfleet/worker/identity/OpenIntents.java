package dev.toolfleet.worker.identity;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.wire.CallIntent;
import org.jspecify.annotations.Nullable;

/// Intents of earlier owners without a result, by call identity. Not thread-safe: [PartitionState] guards it.
final class OpenIntents {
    private final Map<String, CallIntent> intents = new HashMap<>();
    /// Identities with an entry that this version cannot read.
    private final Set<String> unreadable = new HashSet<>();

    void add(CallIntent intent) {
        unreadable.remove(intent.identity());
        intents.put(intent.identity(), intent);
    }

    /// Notes that the newest entry of the call is one that this version cannot read.
    void addUnreadable(String identity) {
        intents.remove(identity);
        unreadable.add(identity);
    }

    void remove(String identity) {
        intents.remove(identity);
        unreadable.remove(identity);
    }

    boolean isEmpty() {
        return intents.isEmpty() && unreadable.isEmpty();
    }

    /// True if the entry under that name is one that this version cannot read.
    boolean isUnreadable(String identity) {
        return unreadable.contains(identity);
    }

    @Nullable
    CallIntent of(String identity) {
        return intents.get(identity);
    }

    /// Returns the standing of an approved call whose start an earlier owner noted under that name; null if there is
    /// none.
    @Nullable
    CallStanding start(String name) {
        CallIntent intent = of(name);
        if (intent != null)
            return new CallStanding.Open(intent, false);
        return isUnreadable(name) ? new CallStanding.Unreadable() : null;
    }

    /// Returns the intent of a call; null if there is none. An intent of another record, which lay at the same offset
    /// before the topic was made anew or truncated, does not count.
    @Nullable
    CallIntent of(IdentifiedCall call) {
        CallIntent intent = of(call.identity().text());
        if (intent == null || !call.identity().isOfRecord())
            return intent;
        Instant calledAt = intent.calledAt();
        boolean another = calledAt == null
                ? !intent.fingerprint().equals(call.fingerprint())
                : calledAt.toEpochMilli() != call.arrival().appendedAt();
        return another ? null : intent;
    }

    Map<String, CallIntent> all() {
        return Map.copyOf(intents);
    }
}
