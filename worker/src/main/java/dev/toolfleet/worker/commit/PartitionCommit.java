package dev.toolfleet.worker.commit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import dev.toolfleet.worker.assignment.Position.Source;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/// One assigned partition as the transaction loop sees it: its ledgers, and the outcomes that are not yet committed, in
/// the order in which their calls finished. Owned by the loop's thread.
final class PartitionCommit {
    private final long epoch;
    private final InputLedger calls;
    /// Never full: its reader bounds how many are in flight.
    private final InputLedger resumed;
    private final int maxMetadata;
    private List<Outcome> waiting = new ArrayList<>();
    private List<Note> notes = new ArrayList<>();
    /// Outcomes wait because the metadata had no room for them; only a call that ends can change that.
    private boolean full;
    private boolean toldFull;

    PartitionCommit(long epoch, DoneOffsets calls, DoneOffsets resumed, int maxMetadata) {
        this.epoch = epoch;
        this.calls = new InputLedger(calls);
        this.resumed = new InputLedger(resumed);
        this.maxMetadata = maxMetadata;
    }

    long epoch() {
        return epoch;
    }

    InputLedger ledger(Source source) {
        return switch (source) {
            case CALLS -> calls;
            case RESUMED -> resumed;
        };
    }

    private InputLedger ledger(Outcome outcome) {
        return ledger(outcome.position().source());
    }

    void finished(Outcome outcome) {
        waiting.add(outcome);
        full = false;
    }

    void noted(Note note) {
        notes.add(note);
    }

    int waiting() {
        return waiting.size() + notes.size();
    }

    /// Whether a transaction now would publish or commit anything.
    boolean hasWork() {
        return !notes.isEmpty() || resumed.moved() || waitsForNoCall()
                || (!full && (!waiting.isEmpty() || calls.moved()));
    }

    /// Whether something waits that the calls' metadata need not have room for.
    private boolean waitsForNoCall() {
        return full && waiting.stream().anyMatch(outcome -> outcome.position().source() == Source.RESUMED);
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

    /// Moves what fits into the next transaction, at most `limit` outcomes and notes; null when nothing can go.
    ///
    /// Low offsets go first, because they move the frontier and so make room; what would make the metadata too long
    /// stays. What goes keeps its order, and so does what stays. (Of read-only calls of one instance that ran beside
    /// each other, a later one may so be published before an earlier one that finished first, while the metadata is
    /// full.)
    @Nullable
    Batch take(int limit) {
        List<Note> noted = first(notes, limit);
        int left = limit - noted.size();
        List<Outcome> taken = first(waiting, left);
        taken.forEach(outcome -> ledger(outcome).complete(outcome));
        if (!fits())
            taken = fit(taken, left);
        OffsetAndMetadata beyond = resumed.moved() || taken.stream().anyMatch(PartitionCommit::isResumed)
                ? resumed.now()
                : null;
        if (!fits()) {
            // No call was taken, but gaps that were read since the last commit made it longer. A call may wait for its
            // note, and may be the one whose end makes room: what was committed last still holds, and goes with it.
            full = true;
            return noted.isEmpty() && beyond == null ? null : new Batch(taken, noted, calls.committed(), beyond);
        }
        if (taken.isEmpty() && noted.isEmpty() && beyond == null && !calls.moved())
            return null;
        return new Batch(taken, noted, calls.now(), beyond);
    }

    private static boolean isResumed(Outcome outcome) {
        return outcome.position().source() == Source.RESUMED;
    }

    /// Removes the first of a list and returns them.
    private static <T> List<T> first(List<T> list, int limit) {
        List<T> head = list.subList(0, Math.min(list.size(), Math.max(0, limit)));
        List<T> taken = new ArrayList<>(head);
        head.clear();
        return taken;
    }

    private boolean fits() {
        return calls.fits(maxMetadata);
    }

    /// The most of what waits that fits, of the lowest offsets; `done` are done so far and came first. Whatever the
    /// limit, all are looked at: the one that makes room may have come last.
    private List<Outcome> fit(List<Outcome> done, int limit) {
        List<Outcome> all = joined(done, waiting);
        waiting.forEach(outcome -> ledger(outcome).complete(outcome));
        waiting = new ArrayList<>();
        List<Outcome> byOffset = new ArrayList<>(all);
        byOffset.removeIf(PartitionCommit::isResumed);
        byOffset.sort(Comparator.comparingLong(outcome -> outcome.position().offset()));
        int low = 0;
        int most = Math.min(limit, byOffset.size());
        int kept = byOffset.size();
        for (int high = most; low < high;) {
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
        long next = low == byOffset.size() ? Long.MAX_VALUE : byOffset.get(low).position().offset();
        List<Outcome> taken = new ArrayList<>();
        // They need no room in the calls' metadata. Bounded all the same: otherwise, of several that go together, the one
        // that the broker refuses is never found.
        int room = limit - low;
        for (Outcome outcome : all) {
            boolean goes = isResumed(outcome) ? room-- > 0 : outcome.position().offset() < next;
            (goes ? taken : waiting).add(outcome);
        }
        waiting.stream().filter(PartitionCommit::isResumed).forEach(resumed::reopen);
        full = low < most;
        return taken;
    }

    /// From the lowest `before` outcomes done to the lowest `now`.
    private void keep(List<Outcome> byOffset, int before, int now) {
        for (int i = now; i < before; i++)
            calls.reopen(byOffset.get(i));
        for (int i = before; i < now; i++)
            calls.complete(byOffset.get(i));
    }

    void committed(Batch batch) {
        calls.committed(batch.offset());
        OffsetAndMetadata beyond = batch.resumed();
        if (beyond != null)
            resumed.committed(beyond);
    }

    /// Puts a batch that was not committed back, before what has come since.
    void putBack(Batch batch) {
        batch.outcomes().forEach(outcome -> ledger(outcome).reopen(outcome));
        waiting = joined(batch.outcomes(), waiting);
        notes = joined(batch.notes(), notes);
        full = false;
    }

    private static <T> List<T> joined(List<T> before, List<T> after) {
        List<T> all = new ArrayList<>(before);
        all.addAll(after);
        return all;
    }

    /// What a commit of unknown end left undone, and nothing else, stays to be published; returns the others.
    ///
    /// @param storedCalls null when nothing is known of that topic
    List<Outcome> dropDone(@Nullable DoneOffsets storedCalls, @Nullable DoneOffsets storedResumed) {
        List<Outcome> done = new ArrayList<>();
        waiting.removeIf(outcome -> {
            DoneOffsets stored = isResumed(outcome) ? storedResumed : storedCalls;
            if (stored == null || !stored.isDone(outcome.position().offset()))
                return false;
            ledger(outcome).complete(outcome);
            return done.add(outcome);
        });
        if (storedCalls != null)
            calls.stored(storedCalls);
        if (storedResumed != null)
            resumed.stored(storedResumed);
        return done;
    }

    /// Publishes something else than what the broker refuses.
    void replace(Outcome refused, Outcome by) {
        waiting.set(waiting.indexOf(refused), by);
    }

    /// Nobody needs this note any more.
    void forget(Note refused) {
        notes.remove(refused);
    }

    /// What is left when the assignment ends.
    List<Outcome> unpublished() {
        return waiting;
    }

    /// Calls that wait for a note when the assignment ends.
    List<Note> unnoted() {
        return notes;
    }
}
