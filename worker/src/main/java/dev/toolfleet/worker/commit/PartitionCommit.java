package dev.toolfleet.worker.commit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/// One assigned partition as the transaction loop sees it: its ledger, and the outcomes that are not yet committed, in
/// the order in which their calls finished. Owned by the loop's thread.
final class PartitionCommit {
    private final long epoch;
    private final OffsetLedger ledger;
    private final int maxMetadata;
    private List<Outcome> waiting = new ArrayList<>();
    private long committed;
    /// Outcomes wait because the metadata had no room for them; only a call that ends can change that.
    private boolean full;
    private boolean toldFull;

    PartitionCommit(long epoch, DoneOffsets start, int maxMetadata) {
        this.epoch = epoch;
        this.ledger = new OffsetLedger(start);
        this.maxMetadata = maxMetadata;
        this.committed = start.frontier();
    }

    long epoch() {
        return epoch;
    }

    OffsetLedger ledger() {
        return ledger;
    }

    void finished(Outcome outcome) {
        waiting.add(outcome);
        full = false;
    }

    int waiting() {
        return waiting.size();
    }

    /// Whether a transaction now would publish or commit anything.
    boolean hasWork() {
        return !full && (!waiting.isEmpty() || ledger.frontier() > committed);
    }

    /// Whether outcomes wait for room in the metadata: then no more calls should be read.
    boolean isFull() {
        return full;
    }

    /// Whether [#isFull] differs from the last time this was asked.
    boolean fullnessChanged() {
        boolean changed = full != toldFull;
        toldFull = full;
        return changed;
    }

    /// Moves what fits into the next transaction; null when nothing can go.
    ///
    /// Low offsets go first, because they move the frontier and so make room; what would make the metadata too long
    /// stays. What goes keeps its order, and so does what stays. (Of read-only calls of one instance that ran beside
    /// each other, a later one may so be published before an earlier one that finished first, while the metadata is
    /// full.)
    @Nullable
    Batch take() {
        List<Outcome> all = waiting;
        waiting = new ArrayList<>();
        all.forEach(outcome -> ledger.complete(outcome.position().offset()));
        List<Outcome> taken = fits() ? all : fit(all);
        if (!fits()) {
            // Nothing was taken, but gaps that were read since the last commit made it longer.
            full = true;
            return null;
        }
        return taken.isEmpty() && ledger.frontier() == committed
                ? null
                : new Batch(taken, new OffsetAndMetadata(ledger.frontier(), ledger.done().encode()));
    }

    private boolean fits() {
        return ledger.done().encode().length() <= maxMetadata;
    }

    private List<Outcome> fit(List<Outcome> all) {
        List<Outcome> byOffset = new ArrayList<>(all);
        byOffset.sort(Comparator.comparingLong(outcome -> outcome.position().offset()));
        int low = 0;
        int kept = byOffset.size();
        for (int high = kept; low < high;) {
            int middle = (low + high + 1) / 2;
            keep(byOffset, kept, middle);
            kept = middle;
            if (fits()) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        keep(byOffset, kept, low);
        long limit = low == byOffset.size() ? Long.MAX_VALUE : byOffset.get(low).position().offset();
        List<Outcome> taken = new ArrayList<>();
        for (Outcome outcome : all)
            (outcome.position().offset() < limit ? taken : waiting).add(outcome);
        full = !waiting.isEmpty();
        return taken;
    }

    /// From the lowest `before` outcomes done to the lowest `now`.
    private void keep(List<Outcome> byOffset, int before, int now) {
        for (int i = now; i < before; i++)
            ledger.reopen(byOffset.get(i).position().offset());
        for (int i = before; i < now; i++)
            ledger.complete(byOffset.get(i).position().offset());
    }

    void committed(OffsetAndMetadata offset) {
        committed = offset.offset();
        ledger.forget(committed);
    }

    /// Puts a batch that was not committed back, before what has finished since.
    void putBack(List<Outcome> batch) {
        batch.forEach(outcome -> ledger.reopen(outcome.position().offset()));
        batch = new ArrayList<>(batch);
        batch.addAll(waiting);
        waiting = batch;
        full = false;
    }

    /// What a commit of unknown end left undone, and nothing else, stays to be published.
    void dropDone(DoneOffsets stored) {
        waiting.removeIf(outcome -> {
            boolean done = stored.isDone(outcome.position().offset());
            if (done)
                ledger.complete(outcome.position().offset());
            return done;
        });
        committed = Math.max(committed, stored.frontier());
    }

    /// Outcomes for one transaction and the offset that goes with them.
    record Batch(List<Outcome> outcomes, OffsetAndMetadata offset) {}
}
