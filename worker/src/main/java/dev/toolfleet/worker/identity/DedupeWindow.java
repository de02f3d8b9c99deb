package dev.toolfleet.worker.identity;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

/// Answers of one partition that a duplicate may still need, oldest first.
///
/// **Contract.** An answer leaves when it is older, by append time, than the oldest unfinished call by more than the
/// window, or when there are too many.
///
/// **Threads.** Not thread-safe: [PartitionState] guards it.
final class DedupeWindow {

    /// First call of a batch that was read, with its append time.
    private record Read(long offset, long appendedAt) {}

    private final DedupeConfig config;
    private final RecentAnswers answers = new RecentAnswers();
    /// Restored answers beyond the bound. Records between the start and the end at the take-over may have been answered
    /// before, so these answers stay until all of those records are finished.
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
    void restore(Digest128 identity, EarlierAnswer answer, boolean replayed) {
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

    /// Adds an answer. A later answer to the same call replaces an earlier one: a final result its pending one.
    void add(Digest128 identity, EarlierAnswer answer) {
        answers.add(identity, answer);
        if (kept.size() > 0)
            kept.remove(identity);
        if (answers.size() > config.maxEntries()) {
            answers.removeOldest();
            forgotten++;
        }
    }

    @Nullable
    EarlierAnswer find(Digest128 identity) {
        EarlierAnswer answer = answers.find(identity);
        return answer == null && kept.size() > 0 ? kept.find(identity) : answer;
    }

    /// Notes that calls from `offset` on were read; the first was appended at `appendedAt`.
    void read(long offset, long appendedAt) {
        reads.add(new Read(offset, appendedAt));
    }

    /// Notes that every call below `offset` is finished. Removes the answers that no unfinished or later call can
    /// need within the window.
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

    /// Number of answers that have left because there were too many.
    long forgotten() {
        return forgotten;
    }

    int size() {
        return answers.size() + kept.size();
    }

    /// Append time of the oldest remembered answer, in epoch milliseconds; -1 if there is none.
    long oldest() {
        return answers.oldest();
    }
}
