package dev.toolfleet.worker.identity;

import java.util.Comparator;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.toolfleet.identity.CallIdentity;
import org.jspecify.annotations.Nullable;

/// Results on `tool.result` for records that may be read again: the group's offsets may lie behind the results. Keeps
/// the results at or behind the start; each leaves when its record is finished. Not thread-safe: [PartitionState]
/// guards it.
///
/// **Contract.** A result answers a record only if it names the record's offset *and* its append time. The offset alone
/// proves nothing: a topic that was made anew, truncated or mirrored has other records at the same offsets. Results of
/// workers that did not write the append time answer a record if the identity fits and they were appended at or after
/// it, by brokers' clocks that may be a minute apart. In a log that may be another one there is no such tolerance: a
/// result within that minute is doubtful.
final class RestoredResults {
    private static final Comparator<Exact> ORDER = Comparator.comparingLong(Exact::offset)
            .thenComparingLong(Exact::calledAt);

    private final NavigableSet<Exact> exact = new TreeSet<>(ORDER);
    private final NavigableMap<Long, Timed> timed = new TreeMap<>();
    private LogStart log = LogStart.NOTHING;

    /// Record that a result answers.
    private record Exact(long offset, long calledAt) {}

    /// Result that does not name its call's append time.
    ///
    /// @param identity of its call; null for that of the record
    private record Timed(@Nullable Digest128 identity, long answeredAt) {}

    void begin(LogStart from) {
        log = from;
    }

    LogStart log() {
        return log;
    }

    /// @param calledAt append time of the call, in epoch milliseconds; -1 if the result does not name it
    void add(String identity, long offset, long calledAt, long answeredAt) {
        if (offset < log.offset())
            return;
        if (calledAt >= 0) {
            exact.add(new Exact(offset, calledAt));
        } else if (answeredAt >= log.appendedAt() - LogStart.CLOCKS_MILLIS) {
            timed.put(offset,
                    new Timed(CallIdentity.isOfRecord(identity) ? null : Digest128.of(identity), answeredAt));
        }
    }

    /// True if a result answers exactly this record.
    boolean answer(IdentifiedCall call) {
        long offset = call.arrival().position().offset();
        long appendedAt = call.arrival().appendedAt();
        if (isExact(offset, appendedAt))
            return true;
        Timed result = fitting(call, offset);
        return result != null && result.answeredAt() >= appendedAt - (log.sameLog() ? LogStart.CLOCKS_MILLIS : 0);
    }

    /// True if a result answers the record that was appended there at that time, judged by its place alone.
    boolean hasAnswered(long offset, long appendedAt) {
        return isExact(offset, appendedAt) || timed.containsKey(offset);
    }

    /// True if a result may answer this record, and that cannot be decided. Called if none answers it for certain.
    boolean mayAnswer(IdentifiedCall call) {
        long offset = call.arrival().position().offset();
        if (offset < log.end() && log.doubt().concerns(call))
            return true;
        if (!call.identity().isOfRecord())
            return false;
        Timed result = fitting(call, offset);
        return result != null && result.answeredAt() >= call.arrival().appendedAt() - LogStart.CLOCKS_MILLIS;
    }

    private boolean isExact(long offset, long appendedAt) {
        return !exact.isEmpty() && exact.contains(new Exact(offset, appendedAt));
    }

    private @Nullable Timed fitting(IdentifiedCall call, long offset) {
        Timed result = timed.isEmpty() ? null : timed.get(offset);
        return result != null && (result.identity() == null || result.identity().equals(call.identityDigest()))
                ? result
                : null;
    }

    /// Notes that every record below `offset` is finished.
    void frontier(long offset) {
        if (!exact.isEmpty())
            exact.headSet(new Exact(offset, Long.MIN_VALUE)).clear();
        if (!timed.isEmpty())
            timed.headMap(offset).clear();
    }

    int size() {
        return exact.size() + timed.size();
    }
}
