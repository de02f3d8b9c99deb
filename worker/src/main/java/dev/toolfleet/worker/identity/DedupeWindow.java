package dev.toolfleet.worker.identity;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

/// The answers of one partition that a duplicate may still ask for, oldest first. An answer leaves when it is older, by
/// append time, than the oldest unfinished call by more than the window, or when there are too many. Not thread-safe:
/// [PartitionState] guards it.
final class DedupeWindow {

    /// A batch of calls was read: the first of them, and when it was appended.
    private record Read(long offset, long appendedAt) {}

    private final DedupeConfig config;
    private final RecentAnswers answers = new RecentAnswers();
    private final Deque<Read> reads = new ArrayDeque<>();
    private long forgotten;

    DedupeWindow(DedupeConfig config) {
        this.config = config;
    }

    /// A later answer to the same call replaces an earlier one: a final result its pending one.
    void add(Digest128 identity, Answer answer) {
        answers.add(identity, answer);
        if (answers.size() > config.maxEntries()) {
            answers.removeOldest();
            forgotten++;
        }
    }

    @Nullable
    Answer find(Digest128 identity) {
        return answers.find(identity);
    }

    /// Calls from `offset` on were read, the first of which was appended at `appendedAt`.
    void read(long offset, long appendedAt) {
        reads.add(new Read(offset, appendedAt));
    }

    /// Every call below `offset` is finished: lets those answers go that no unfinished or later call can be a duplicate
    /// of within the window.
    void frontier(long offset) {
        Read oldest = null;
        for (Read next = reads.peek(); next != null && next.offset() <= offset; next = reads.peek())
            oldest = reads.remove();
        if (oldest == null)
            return;
        reads.addFirst(oldest);
        long before = oldest.appendedAt() - config.window().toMillis();
        while (answers.size() > 0 && answers.oldest() < before)
            answers.removeOldest();
    }

    /// How many answers have left because there were too many.
    long forgotten() {
        return forgotten;
    }

    int size() {
        return answers.size();
    }

    /// When the oldest answer that is still known was given, in epoch milliseconds; -1 for none.
    long oldest() {
        return answers.oldest();
    }
}
