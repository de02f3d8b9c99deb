package dev.toolfleet.worker.completion;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.WireFormatException;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores of one partition's handles: their states, an index of their timers, and the whole calls of the handles that
/// still need them. A call may be large, and a state changes with each sign of life, so they lie apart.
///
/// **Contract.** The index holds exactly the [HandleLifecycle#dues] of all states: it changes with them, and only here.
///
/// **Threads.** For one thread.
final class HandleStores {
    /// State by handle.
    static final String HANDLES = "handles";
    /// The value on `tool.pending`, by handle.
    static final String CALLS = "calls";
    /// By time, kind and handle; the value has no meaning.
    static final String DUE = "due";
    private static final Logger LOG = LoggerFactory.getLogger(HandleStores.class);
    private static final byte[] PRESENT = {1};
    private static final HandleTimer.Effect[] KINDS = HandleTimer.Effect.values();

    private final KeyValueStore<String, byte[]> handles;
    private final KeyValueStore<String, byte[]> calls;
    private final KeyValueStore<byte[], byte[]> due;
    /// No timer lies before this time. Otherwise: each scan steps over the deleted entries there.
    private long dueFrom;
    /// Entries of states that this version cannot read. Otherwise: they stay at the front of the index and keep out all
    /// others.
    private final Set<Entry> passed = new HashSet<>();

    HandleStores(ProcessorContext<?, ?> context) {
        this.handles = context.getStateStore(HANDLES);
        this.calls = context.getStateStore(CALLS);
        this.due = context.getStateStore(DUE);
    }

    /// Timer of a handle.
    record Entry(HandleTimer due, String handle) {}

    /// Returns the state of a handle. Bytes of another version are [UnreadableHandle], never [UnknownHandle]. Otherwise: the next
    /// event overwrites them.
    HandleLifecycle state(String handle) {
        try {
            return StateCodec.read(handles.get(handle));
        } catch (WireFormatException e) {
            PendingCall kept = keptCall(handle);
            LOG.atError().addKeyValue(LogKeys.CALL_ID, kept == null ? "" : kept.call().id())
                    .addKeyValue(LogKeys.REASON, "of another version").log("state of a handle cannot be read");
            return new UnreadableHandle(kept);
        }
    }

    private @Nullable PendingCall keptCall(String handle) {
        byte[] value = calls.get(handle);
        if (value == null)
            return null;
        try {
            return HandleInput.PENDING.read(value);
        } catch (WireFormatException e) {
            return null;
        }
    }

    /// Changes the state of a handle.
    ///
    /// @param pending the value on `tool.pending`, kept if the new state needs it and the old did not
    void change(String handle, HandleLifecycle from, HandleLifecycle to, byte @Nullable [] pending) {
        if (!from.equals(to))
            handles.put(handle, StateCodec.write(to));
        if (to.keepsCall() && !from.keepsCall() && pending != null) {
            calls.put(handle, pending);
        } else if (!to.keepsCall() && from.keepsCall()) {
            calls.delete(handle);
        }
        Set<HandleTimer> before = from.dues();
        Set<HandleTimer> after = to.dues();
        before.stream().filter(one -> !after.contains(one)).forEach(one -> drop(new Entry(one, handle)));
        after.stream().filter(one -> !before.contains(one)).forEach(one -> add(new Entry(one, handle)));
    }

    /// Returns the value on `tool.pending` of a handle whose state keeps it.
    byte @Nullable [] call(String handle) {
        return calls.get(handle);
    }

    /// Returns the timers that are due by now, the earliest first.
    ///
    /// @param most the most entries
    List<Entry> due(Instant now, int most) {
        List<Entry> entries = new ArrayList<>();
        long last = HandleTimer.millis(now);
        try (KeyValueIterator<byte[], byte[]> found = due.range(time(dueFrom), time(last + 1))) {
            while (found.hasNext() && entries.size() < most) {
                Entry next = entry(found.next().key);
                if (next != null && !passed.contains(next))
                    entries.add(next);
            }
        }
        dueFrom = entries.isEmpty() ? last + 1 : entries.getFirst().due().atMillis();
        return entries;
    }

    /// Leaves an entry in the index for the version that wrote it, and does not return it again while this task lives.
    void pass(Entry entry) {
        passed.add(entry);
    }

    /// Removes an entry from the index.
    void drop(Entry entry) {
        due.delete(key(entry));
    }

    private void add(Entry entry) {
        due.put(key(entry), PRESENT);
        dueFrom = Math.min(dueFrom, entry.due().atMillis());
    }

    private static byte[] key(Entry entry) {
        byte[] handle = entry.handle().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Long.BYTES + 1 + handle.length).putLong(entry.due().atMillis())
                .put((byte) indexOf(entry.due().what())).put(handle).array();
    }

    private static int indexOf(HandleTimer.Effect what) {
        return List.of(KINDS).indexOf(what);
    }

    /// Returns null for a kind of another version, whose entry stays.
    private static @Nullable Entry entry(byte[] key) {
        ByteBuffer buffer = ByteBuffer.wrap(key);
        long at = buffer.getLong();
        int what = buffer.get();
        return what < 0 || what >= KINDS.length
                ? null
                : new Entry(new HandleTimer(at, KINDS[what]), StandardCharsets.UTF_8.decode(buffer).toString());
    }

    private static byte[] time(long millis) {
        return ByteBuffer.allocate(Long.BYTES).putLong(millis).array();
    }
}
