package dev.toolfleet.gateway.topology;

import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallSummary;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/// Cursor over the heads of one partition from the highest offset down: those of open and of ended calls, merged.
///
/// **Contract.** Each call comes once, also one that ends meanwhile. Both iterators show the store as it was when they
/// were made, and the one of open calls is made first. So an ending call is in one of them, or in both ([CallHeads]); its
/// end counts then.
final class HeadCursor implements AutoCloseable {
    private final int partition;
    private final @Nullable Heads unended;
    private final @Nullable Heads ended;
    private byte @Nullable [] head;
    private CallId id;

    /// Heads of one kind, the next one read ahead.
    private static final class Heads {
        private final KeyValueIterator<byte[], byte[]> entries;
        private @Nullable KeyValue<byte[], byte[]> next;

        Heads(KeyValueIterator<byte[], byte[]> entries) {
            this.entries = entries;
            advance();
        }

        void advance() {
            do
                next = entries.hasNext() ? entries.next() : null;
            while (next != null && !HeadCodec.isReadable(next.value));
        }

        long offset() {
            return next == null ? -1 : IndexKey.number(next.key);
        }
    }

    /// @param below the offset at which no call is read any more
    HeadCursor(int partition, ReadOnlyKeyValueStore<byte[], byte[]> index, CallFilter filter, long below) {
        this.partition = partition;
        this.id = new CallId(partition, 0);
        this.unended = below > 0 && filter.isForUnended()
                ? new Heads(index.reverseRange(IndexKey.unended(0), IndexKey.unended(below - 1)))
                : null;
        this.ended = below > 0 && filter.isForEnded()
                ? new Heads(index.reverseRange(IndexKey.ended(0), IndexKey.ended(below - 1)))
                : null;
        advance();
    }

    /// Goes to the next head.
    void advance() {
        long open = unended == null ? -1 : unended.offset();
        long over = ended == null ? -1 : ended.offset();
        head = null;
        if (unended != null && unended.next != null && open >= over) {
            head = unended.next.value;
            unended.advance();
        }
        if (ended != null && ended.next != null && over >= open) {
            head = ended.next.value;
            ended.advance();
        }
        id = new CallId(partition, Math.max(0, Math.max(open, over)));
    }

    /// True if there is no further head.
    boolean isOver() {
        return head == null;
    }

    int partition() {
        return partition;
    }

    /// Returns the id of the call of this head.
    CallId id() {
        return id;
    }

    /// Returns the time at which the call of this head was accepted, in milliseconds.
    long acceptedAt() {
        return head == null ? Long.MIN_VALUE : HeadCodec.acceptedAt(head);
    }

    /// Returns the head.
    CallSummary head() {
        if (head == null)
            throw new IllegalStateException("no further head");
        return HeadCodec.read(id, head);
    }

    @Override
    public void close() {
        if (unended != null)
            unended.entries.close();
        if (ended != null)
            ended.entries.close();
    }
}
