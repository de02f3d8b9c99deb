package dev.toolfleet.worker.identity;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import dev.toolfleet.wire.CallIntent;
import org.jspecify.annotations.Nullable;

/// Intents of earlier owners without a result, by call identity. Not thread-safe: [PartitionState] guards it.
final class OpenIntents {
    private final Map<String, CallIntent> intents = new HashMap<>();

    void add(CallIntent intent) {
        intents.put(intent.identity(), intent);
    }

    void remove(String identity) {
        intents.remove(identity);
    }

    boolean isEmpty() {
        return intents.isEmpty();
    }

    @Nullable
    CallIntent of(String identity) {
        return intents.get(identity);
    }

    /// The intent of a call; null for none. One of another record, which lay at the same offset before the topic was made
    /// anew or truncated, is none of this call's.
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
