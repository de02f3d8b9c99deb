package dev.toolfleet.cli.backtest;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/// Labels that past results have added to instances, with the times at which they came. Some 160 bytes for an instance with
/// a label, and 40 for each time at which it got others. One thread.
///
/// **Contract.** Each partition's results come in their order. A call has the labels of the results that were written by
/// the time at which it was, if their own calls were written before it.
///
/// **Why.** The times are the broker's, in milliseconds. Without the offsets, a result that was written in the same
/// millisecond as its call would count for that call itself.
final class LabelHistory {
    /// The most instances whose labels a run keeps.
    static final int MOST = 1_000_000;

    private final int most;
    private final Map<Integer, Map<String, Gained>> byPartition = new HashMap<>();
    private final Map<PastLabels, PastLabels> interned = new HashMap<>();
    private int instances;
    private long dropped;

    /// All labels of an instance from a result on.
    ///
    /// @param millis the time at which the result was written
    /// @param callOffset of the result's call
    /// @param earlier those before; null for none
    private record Gained(long millis, long callOffset, PastLabels labels, @Nullable Gained earlier) {}

    /// @param most the number of instances that are kept; of later ones no labels are known
    LabelHistory(int most) {
        this.most = most;
    }

    /// Adds the labels of a result.
    void add(int partition, String instance, long millis, long callOffset, PastLabels added) {
        if (added.isEmpty())
            return;
        Map<String, Gained> gained = byPartition.computeIfAbsent(partition, made -> new HashMap<>());
        Gained last = gained.get(instance);
        if (last == null && instances >= most) {
            dropped++;
            return;
        }
        PastLabels all = last == null ? added : last.labels().and(added);
        if (last != null && all.equals(last.labels()))
            return;
        if (last == null)
            instances++;
        // A broker's clock may go back; the order of the results may not.
        long at = last == null ? millis : Math.max(millis, last.millis());
        gained.put(instance, new Gained(at, callOffset, interned.computeIfAbsent(all, same -> same), last));
    }

    /// Returns the labels of the instance of a call as the call was written.
    PastLabels at(int partition, String instance, long millis, long offset) {
        Map<String, Gained> gained = byPartition.get(partition);
        Gained last = gained == null ? null : gained.get(instance);
        while (last != null && (last.millis() > millis || last.callOffset() >= offset))
            last = last.earlier();
        return last == null ? PastLabels.NONE : last.labels();
    }

    /// Results whose labels were not kept, because too many instances had some.
    long dropped() {
        return dropped;
    }
}
