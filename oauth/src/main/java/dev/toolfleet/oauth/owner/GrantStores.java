package dev.toolfleet.oauth.owner;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.oauth.grant.GrantState;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/// Stores of one partition: the state of each grant, and the grants by the time at which something is due.
///
/// **Threads.** Used by the thread of its task.
final class GrantStores {
    static final String GRANTS = "oauth-grants";
    static final String DUE = "oauth-due";
    private static final WireCodec<GrantState> CODEC = WireCodec.exact(GrantState.class);
    private static final int DIGITS = 19;
    private static final byte[] PRESENT = {};

    private final KeyValueStore<String, byte[]> grants;
    private final KeyValueStore<String, byte[]> due;

    GrantStores(ProcessorContext<?, ?> context) {
        grants = context.getStateStore(GRANTS);
        due = context.getStateStore(DUE);
    }

    GrantState state(String grantId) {
        byte[] stored = grants.get(grantId);
        return stored == null ? GrantState.NONE : CODEC.read(stored);
    }

    void change(String grantId, GrantState before, GrantState next) {
        if (before.equals(next))
            return;
        Optional<String> old = before.due().map(at -> key(at.toEpochMilli(), grantId));
        Optional<String> now = next.due().map(at -> key(at.toEpochMilli(), grantId));
        if (!old.equals(now)) {
            old.ifPresent(due::delete);
            now.ifPresent(key -> due.put(key, PRESENT));
        }
        if (next.isEmpty())
            grants.delete(grantId);
        else
            grants.put(grantId, CODEC.write(next));
    }

    /// Returns the grants for which something is due, the longest due first.
    List<String> due(long millis, int most) {
        List<String> found = new ArrayList<>();
        try (KeyValueIterator<String, byte[]> entries = due.range("", number(millis + 1))) {
            while (entries.hasNext() && found.size() < most)
                found.add(entries.next().key.substring(DIGITS + 1));
        }
        return found;
    }

    private static String key(long millis, String grantId) {
        return number(millis) + "/" + grantId;
    }

    private static String number(long number) {
        String digits = Long.toString(Math.max(0, number));
        return "0".repeat(DIGITS - digits.length()) + digits;
    }
}
