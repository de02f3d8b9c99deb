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
    /// Restored answers beyond the bound that records between the start and the end at the take-over may ask for: those
    /// may have been answered before. Gone when all of them are finished.
    private final RecentAnswers kept = new RecentAnswers();
    private LogStart log = LogStart.NOTHING;
    private final Deque<Read> reads = new ArrayDeque<>();
    private long forgotten;

    DedupeWindow(DedupeConfig config) {
        this.config = config;
    }

    void begin(LogStart from) {
        log = from;
    }

    /// Restores an answer; in the order of the results. A replay repeats one that may not be the latest.
    void restore(Digest128 identity, Answer answer, boolean replayed) {
        if (replayed && find(identity) != null)
            return;
        boolean asked = log.offset() < log.end() && answer.answeredAt() >= log.appendedAt() - LogStart.CLOCKS_MILLIS;
        if (asked && answers.size() >= config.maxEntries()) {
            answers.remove(identity);
            kept.add(identity, answer);
        } else {
            add(identity, answer);
        }
    }

    /// A later answer to the same call replaces an earlier one: a final result its pending one.
    void add(Digest128 identity, Answer answer) {
        answers.add(identity, answer);
        if (kept.size() > 0)
            kept.remove(identity);
        if (answers.size() > config.maxEntries()) {
            answers.removeOldest();
            forgotten++;
        }
    }

    @Nullable
    Answer find(Digest128 identity) {
        Answer answer = answers.find(identity);
        return answer == null && kept.size() > 0 ? kept.find(identity) : answer;
    }

    /// Calls from `offset` on were read, the first of which was appended at `appendedAt`.
    void read(long offset, long appendedAt) {
        reads.add(new Read(offset, appendedAt));
    }

    /// Every call below `offset` is finished: lets those answers go that no unfinished or later call can be a duplicate
    /// of within the window.
    void frontier(long offset) {
        if (offset >= log.end())
            kept.clear();
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
        return answers.size() + kept.size();
    }

    /// When the oldest answer that is still known was given, in epoch milliseconds; -1 for none.
    long oldest() {
        return answers.oldest();
    }
}
