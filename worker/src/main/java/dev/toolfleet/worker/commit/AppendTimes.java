package dev.toolfleet.worker.commit;

import java.util.ArrayDeque;
import java.util.Deque;

/// Append times of what was read of a partition, to the second. Owned by the transaction loop's thread.
final class AppendTimes {
    private static final long COARSE_MILLIS = 1_000;

    /// Calls from `offset` on were appended at `time` or later.
    private record Mark(long offset, long time) {}

    private final Deque<Mark> marks = new ArrayDeque<>();
    private long oldest;

    /// @param start every call was appended then or later, in epoch milliseconds
    AppendTimes(long start) {
        oldest = start;
    }

    /// A record was read. Brokers' clocks may go back: then what was read before counts as that old, too.
    void read(long offset, long time) {
        // A record that stands for one that could not be read has no time.
        if (time < 0)
            return;
        long from = offset;
        oldest = Math.min(oldest, time);
        while (!marks.isEmpty() && marks.getLast().time() > time)
            from = marks.removeLast().offset();
        if (marks.isEmpty() || time - marks.getLast().time() >= COARSE_MILLIS)
            marks.add(new Mark(from, time));
    }

    /// A time at which or after which every call at or behind `frontier` was appended. Forgets what lies before it.
    long since(long frontier) {
        while (!marks.isEmpty() && marks.getFirst().offset() <= frontier)
            oldest = marks.removeFirst().time();
        return oldest;
    }
}
