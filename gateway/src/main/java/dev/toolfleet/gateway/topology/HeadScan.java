package dev.toolfleet.gateway.topology;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallSummary;
import dev.toolfleet.gateway.calls.TopicPosition;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/// Scan of the heads of some partitions, the newest call first. For one thread and one page.
///
/// **Contract.** All partitions stop at the same time of the log, so a page that the budget ends has the newest calls of
/// them all.
final class HeadScan implements AutoCloseable {
    /// The longest time by which a call may seem older than one before it. Brokers with other clocks lead the partition in
    /// turn.
    private static final Duration SKEW = Duration.ofMinutes(1);

    private final CallFilter filter;
    private final SortedMap<Integer, Long> reached = new TreeMap<>();
    private final List<HeadCursor> cursors = new ArrayList<>();
    /// Cursors with a head, the newest first.
    private final PriorityQueue<HeadCursor> newest = new PriorityQueue<>(
            Comparator.comparingLong(HeadCursor::acceptedAt).thenComparing(HeadCursor::id).reversed());

    /// @param indexes the store `index` of each partition
    /// @param before the position of an earlier page; null to begin with the newest call
    HeadScan(Map<Integer, ReadOnlyKeyValueStore<byte[], byte[]>> indexes, CallFilter filter,
            @Nullable TopicPosition before) {
        this.filter = filter;
        try {
            indexes.forEach((partition, index) -> {
                Long below = before == null ? null : before.offsets().get(partition);
                HeadCursor cursor = new HeadCursor(partition, index, filter, below == null ? Long.MAX_VALUE : below);
                cursors.add(cursor);
                add(cursor);
            });
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void add(HeadCursor cursor) {
        boolean isOver = cursor.isOver() || isTooOld(cursor.acceptedAt());
        reached.put(cursor.partition(), isOver ? 0 : cursor.id().offset() + 1);
        if (!isOver)
            newest.add(cursor);
    }

    private boolean isTooOld(long acceptedAt) {
        return filter.since() != null && acceptedAt < filter.since().minus(SKEW).toEpochMilli();
    }

    /// Reads a page.
    ///
    /// @param missing partitions that could not be read
    CallPage page(int limit, ScanBudget budget, Set<Integer> missing) {
        long giveUp = System.nanoTime() + budget.time().toNanos();
        List<CallSummary> calls = new ArrayList<>();
        for (int heads = 0; calls.size() < limit; heads++) {
            HeadCursor cursor = newest.peek();
            if (cursor == null)
                return page(calls, null, missing);
            if (heads == budget.heads() || (ScanBudget.isCheck(heads) && System.nanoTime() - giveUp >= 0))
                return page(calls, Instant.ofEpochMilli(cursor.acceptedAt()), missing);
            newest.remove();
            CallSummary call = cursor.head();
            if (filter.selects(call))
                calls.add(call);
            cursor.advance();
            add(cursor);
        }
        return page(calls, null, missing);
    }

    private CallPage page(List<CallSummary> calls, @Nullable Instant searchedTo, Set<Integer> missing) {
        return new CallPage(calls, new TopicPosition(reached), newest.isEmpty(), searchedTo, missing);
    }

    @Override
    public void close() {
        cursors.forEach(HeadCursor::close);
    }
}
