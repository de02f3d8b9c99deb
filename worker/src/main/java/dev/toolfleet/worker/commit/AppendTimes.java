package dev.toolfleet.worker.commit;

import java.util.ArrayDeque;
import java.util.Deque;

/// Append times of a partition's records, to the second. Owned by the transaction loop's thread.
final class AppendTimes {
    private static final long COARSE_MILLIS = 1_000;

    /// Calls from `offset` on were appended at `time` or later.
    private record Mark(long offset, long time) {}

    private final Deque<Mark> marks = new ArrayDeque<>();
    private long oldest;

    /// @param start no unfinished call was appended before that, in epoch milliseconds
    AppendTimes(long start) {
        oldest = start;
    }

    /// Notes a record that was read. If the broker's clock went back, earlier records count as that old, too.
    void read(long offset, long time) {
        // A record that stands for an unreadable one has no time.
        if (time < 0)
            return;
        long from = offset;
        oldest = Math.min(oldest, time);
        while (!marks.isEmpty() && marks.getLast().time() > time)
            from = marks.removeLast().offset();
        if (marks.isEmpty() || time - marks.getLast().time() >= COARSE_MILLIS)
            marks.add(new Mark(from, time));
    }

    /// Returns a time before which no call at or behind `frontier` was appended. Forgets the marks before `frontier`.
    long since(long frontier) {
        while (!marks.isEmpty() && marks.getFirst().offset() <= frontier)
            oldest = marks.removeFirst().time();
        return oldest;
    }
}
