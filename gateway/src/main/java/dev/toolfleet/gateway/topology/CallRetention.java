package dev.toolfleet.gateway.topology;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// Removes the calls of one partition that are over. It walks the store in pieces, from the lowest offset, which is the
/// oldest call, to the first call that is younger than the retention; so it needs no index by time.
///
/// | call | is kept until |
/// |---|---|
/// | with its final result | its last record, and the retention |
/// | with an open wait | the wait's deadline, and the retention |
/// | with neither | its last record, and 7 days, as long as its topic keeps it |
final class CallRetention {
    /// Entries that one run reads at most, unless one call has more.
    static final int PER_RUN = 2000;
    /// The time for which a call without a result is kept.
    static final Duration UNFINISHED = Duration.ofDays(7);

    private final Duration retention;
    private byte @Nullable [] resumeAt;
    private Instant nextPass = Instant.MIN;

    CallRetention(Duration retention) {
        this.retention = retention;
    }

    /// Parts of one call, as far as they decide about its end.
    private static final class Group {
        private final long offset;
        private final List<KeyValue<byte[], byte[]>> parts = new ArrayList<>();

        Group(long offset) {
            this.offset = offset;
        }
    }

    private Duration interval() {
        Duration tenth = retention.dividedBy(10);
        return tenth.compareTo(Duration.ofMinutes(1)) > 0 ? Duration.ofMinutes(1) : tenth;
    }

    /// Removes the calls of the next piece that are over. Between two passes it does nothing.
    void expire(KeyValueStore<byte[], byte[]> calls, KeyValueStore<byte[], byte[]> index, Instant now) {
        if (resumeAt == null) {
            if (now.isBefore(nextPass))
                return;
            nextPass = now.plus(interval());
        }
        List<Group> over = new ArrayList<>();
        resumeAt = read(calls, now, over);
        for (Group group : over) {
            removeIndex(index, group);
            group.parts.forEach(part -> calls.delete(part.key));
        }
    }

    /// Reads a piece.
    ///
    /// @return the key with which the next piece begins; null at the end of the pass
    private byte @Nullable [] read(KeyValueStore<byte[], byte[]> calls, Instant now, List<Group> over) {
        int seen = 0;
        Group group = null;
        try (KeyValueIterator<byte[], byte[]> entries = calls.range(resumeAt, null)) {
            while (entries.hasNext()) {
                KeyValue<byte[], byte[]> entry = entries.next();
                long offset = Part.callOffset(entry.key);
                if (group == null || group.offset != offset) {
                    addIfOver(group, now, over);
                    if (seen >= PER_RUN)
                        return Part.keysOf(offset);
                    if (isYoung(entry, now))
                        return null;
                    group = new Group(offset);
                }
                group.parts.add(entry);
                seen++;
            }
        }
        addIfOver(group, now, over);
        return null;
    }

    private boolean isYoung(KeyValue<byte[], byte[]> first, Instant now) {
        return Part.of(first.key) == Part.CALL && Part.time(first.value) > now.minus(retention).toEpochMilli();
    }

    private void addIfOver(@Nullable Group group, Instant now, List<Group> over) {
        if (group != null && end(group).isBefore(now))
            over.add(group);
    }

    private Instant end(Group group) {
        long last = 0;
        long deadline = Long.MIN_VALUE;
        boolean answered = false;
        Set<String> ended = new HashSet<>();
        for (KeyValue<byte[], byte[]> part : group.parts) {
            switch (Part.of(part.key)) {
                case END -> ended.add(Part.handle(part.key));
                case RESULT -> answered |= StoredResult.isFinal(part.value);
                case CALL, WAIT, DECISION, PROGRESS -> {
                    // Counted below.
                }
            }
            if (Part.of(part.key) != Part.WAIT)
                last = Math.max(last, Part.time(part.value));
        }
        for (KeyValue<byte[], byte[]> part : group.parts) {
            if (Part.of(part.key) == Part.WAIT && !ended.contains(Part.handle(part.key)))
                deadline = Math.max(deadline, Part.time(part.value));
        }
        if (answered)
            return Instant.ofEpochMilli(last).plus(retention);
        return deadline == Long.MIN_VALUE
                ? Instant.ofEpochMilli(last).plus(UNFINISHED)
                : Instant.ofEpochMilli(Math.max(last, deadline)).plus(retention);
    }

    private static void removeIndex(KeyValueStore<byte[], byte[]> index, Group group) {
        boolean ended = group.parts.stream()
                .anyMatch(part -> Part.of(part.key) == Part.RESULT && StoredResult.isFinal(part.value));
        for (KeyValue<byte[], byte[]> part : group.parts) {
            switch (Part.of(part.key)) {
                case CALL -> {
                    StoredCall call = StoredCall.read(part.value);
                    if (call.hasIdentity())
                        removeIfOf(index, IndexKey.identity(call.identity()), group.offset);
                    removeIfOf(index, IndexKey.instance(call.instance()), group.offset);
                    index.delete(ended ? IndexKey.ended(group.offset) : IndexKey.unended(group.offset));
                }
                case RESULT -> {
                    StoredResult result = StoredResult.read(part.value);
                    if (result.isFinal())
                        index.delete(IndexKey.result(result.instance(), Part.offset(part.key)));
                }
                case WAIT, END, DECISION, PROGRESS -> {
                    // Not indexed.
                }
            }
        }
    }

    private static void removeIfOf(KeyValueStore<byte[], byte[]> index, byte[] key, long call) {
        byte[] value = index.get(key);
        if (value != null && IndexKey.offset(value) == call)
            index.delete(key);
    }
}
