package dev.toolfleet.oauth.owner;

import java.time.Instant;
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

    Optional<byte[]> stored(String grantId) {
        return Optional.ofNullable(grants.get(grantId));
    }

    /// Reads a stored state.
    ///
    /// @throws dev.toolfleet.wire.WireFormatException when this version cannot read it
    static GrantState read(Optional<byte[]> stored) {
        return stored.map(CODEC::read).orElse(GrantState.NONE);
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

    /// Grant for which something is due.
    record Entry(String key, String grantId) {}

    /// Returns the grants for which something is due, the longest due first.
    List<Entry> due(long millis, int most) {
        List<Entry> found = new ArrayList<>();
        try (KeyValueIterator<String, byte[]> entries = due.range("", number(millis + 1))) {
            while (entries.hasNext() && found.size() < most) {
                String key = entries.next().key;
                found.add(new Entry(key, key.substring(DIGITS + 1)));
            }
        }
        return found;
    }

    /// Brings an entry back later.
    void postpone(Entry entry, Instant at) {
        due.delete(entry.key());
        due.put(key(at.toEpochMilli(), entry.grantId()), PRESENT);
    }

    /// Replaces an entry that was postponed by the one of its grant's state.
    void settle(Entry entry, GrantState state) {
        Optional<String> own = state.due().map(at -> key(at.toEpochMilli(), entry.grantId()));
        if (own.equals(Optional.of(entry.key())))
            return;
        due.delete(entry.key());
        own.ifPresent(key -> due.put(key, PRESENT));
    }

    private static String key(long millis, String grantId) {
        return number(millis) + "/" + grantId;
    }

    private static String number(long number) {
        String digits = Long.toString(Math.max(0, number));
        return "0".repeat(DIGITS - digits.length()) + digits;
    }
}
