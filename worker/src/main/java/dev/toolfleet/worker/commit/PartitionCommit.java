package dev.toolfleet.worker.commit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import dev.toolfleet.worker.assignment.Position.Source;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/// Transaction loop's state of one assigned partition: its ledgers, and its uncommitted outcomes in the order in which
/// their calls finished.
///
/// **Threads.** Owned by the loop's thread.
final class PartitionCommit {
    private final long epoch;
    private final InputLedger calls;
    private final InputLedger resumed;
    private final FrontierNotes frontiers;
    private final int maxMetadata;
    private final int maxResumedMetadata;
    private List<Outcome> waiting = new ArrayList<>();
    private List<JournalNote> notes = new ArrayList<>();
    /// True while outcomes wait for room in the metadata; only a call that ends can make room.
    private boolean full;
    /// The same for outcomes of resumed calls: more than a thousand approved calls run, and others have ended in
    /// between.
    private boolean resumedFull;
    private boolean toldFull;
    /// True until a commit has replaced the group's offsets, which are those of another log.
    private boolean alone;
    /// True if the group has an offset of the calls.
    private boolean stored;

    PartitionCommit(long epoch, AssignmentStart from, int maxMetadata) {
        this(epoch, from, maxMetadata, DoneOffsets.MAX_METADATA);
    }

    PartitionCommit(long epoch, AssignmentStart from, int maxMetadata, int maxResumedMetadata) {
        this.epoch = epoch;
        this.calls = new InputLedger(from.calls());
        this.resumed = new InputLedger(from.resumed());
        this.frontiers = from.frontiers();
        this.alone = from.alone();
        this.stored = from.stored();
        this.maxMetadata = maxMetadata;
        this.maxResumedMetadata = maxResumedMetadata;
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

    /// Notes offsets that were read. Returns false if the reader went back.
    boolean tracked(Source source, Offsets offsets, long next) {
        if (!ledger(source).track(offsets, next))
            return false;
        if (source == Source.CALLS)
            frontiers.read(offsets, next);
        return true;
    }

    private InputLedger ledger(Outcome outcome) {
        return ledger(outcome.position().source());
    }

    void finished(Outcome outcome) {
        waiting.add(outcome);
        full = false;
        resumedFull = false;
    }

    void noted(JournalNote note) {
        notes.add(note);
    }

    int waiting() {
        return waiting.size() + notes.size();
    }

    /// True if a transaction now would publish or commit anything.
    boolean hasWork() {
        if (alone || !notes.isEmpty())
            return true;
        if (!full && !resumedFull)
            return !waiting.isEmpty() || calls.moved() || resumed.moved()
                    || frontiers.isDue(calls.frontier());
        return (!full && (calls.moved() || waitsFor(Source.CALLS) || frontiers.isDue(calls.frontier())))
                || (!resumedFull && (resumed.moved() || waitsFor(Source.RESUMED)));
    }

    private boolean waitsFor(Source source) {
        return waiting.stream().anyMatch(outcome -> outcome.position().source() == source);
    }

    /// True while outcomes wait for room in the metadata: then no more calls should be read.
    boolean isFull() {
        return full;
    }

    /// True if [#isFull] differs from the previous call of this method.
    boolean fullnessChanged() {
        boolean changed = full != toldFull;
        toldFull = full;
        return changed;
    }

    /// Moves the outcomes that fit into the next transaction, as far as that has room; null if nothing can go.
    ///
    /// Low offsets go first, because they move the frontier and so make room. Outcomes that would make the metadata too
    /// long stay. Both parts keep their order. One exception while the metadata is full: if read-only calls of one
    /// instance ran side by side, a later one may be published before an earlier one that finished first.
    @Nullable
    Batch take(TransactionRoom room) {
        if (alone)
            return new Batch(List.of(), room.take(notes, JournalNote::bytes), calls.now(), resumed.now(),
                    frontiers.due(calls.now()));
        List<JournalNote> noted = room.take(notes, JournalNote::bytes);
        TransactionRoom forOutcomes = room.copy();
        List<Outcome> taken = room.take(waiting, Outcome::bytes);
        taken.forEach(outcome -> ledger(outcome).complete(outcome));
        boolean all = fits(Source.CALLS) && fits(Source.RESUMED);
        if (!all) {
            room.resetTo(forOutcomes);
            taken = fit(taken, room);
        }
        OffsetAndMetadata beyond = null;
        if (resumed.moved() || taken.stream().anyMatch(PartitionCommit::isResumed)) {
            if (all || fits(Source.RESUMED)) {
                beyond = resumed.now();
            } else if (!room.isCut()) {
                resumedFull = true;
            }
        }
        if (!all && !fits(Source.CALLS)) {
            // No call was taken, but gaps that were read since the last commit made the metadata longer. A call may
            // wait for its note, and its end may be the one that makes room. So the note goes with the last committed
            // offset, which is still right.
            if (!room.isCut())
                full = true;
            return noted.isEmpty() && beyond == null ? null : new Batch(taken, noted, calls.committed(), beyond, null);
        }
        if (taken.isEmpty() && noted.isEmpty() && beyond == null && !calls.moved()
                && !frontiers.isDue(calls.frontier()))
            return null;
        OffsetAndMetadata now = calls.now();
        return new Batch(taken, noted, now, beyond, frontiers.due(now));
    }

    private boolean fits(Source source) {
        return ledger(source).fits(switch (source) {
            case CALLS -> maxMetadata;
            case RESUMED -> maxResumedMetadata;
        });
    }

    private static boolean isResumed(Outcome outcome) {
        return outcome.position().source() == Source.RESUMED;
    }

    /// Returns the outcomes of the lowest offsets, as many as fit; `done` are done so far and came first. All outcomes
    /// are examined, even if the transaction has little room: the one that makes room in the metadata may have come
    /// last. Calls wait while an outcome of a resumed call finds no room: it may be of the same instance and have
    /// finished first.
    private List<Outcome> fit(List<Outcome> done, TransactionRoom room) {
        List<Outcome> all = joined(done, waiting);
        waiting.forEach(outcome -> ledger(outcome).complete(outcome));
        waiting = new ArrayList<>();
        Fit ofResumed = fit(all, Source.RESUMED, room, false);
        Fit ofCalls = fit(all, Source.CALLS, room, room.isCut());
        resumedFull = ofResumed.held();
        full = ofCalls.held();
        List<Outcome> taken = new ArrayList<>();
        for (Outcome outcome : all) {
            Fit fit = isResumed(outcome) ? ofResumed : ofCalls;
            (outcome.position().offset() < fit.end() ? taken : waiting).add(outcome);
        }
        return taken;
    }

    /// Outcomes of one topic that go.
    ///
    /// @param end the offset behind them
    /// @param held whether the metadata has no room for the others
    private record Fit(long end, boolean held) {}

    /// Leaves as many outcomes done as the metadata and the transaction have room for.
    private Fit fit(List<Outcome> all, Source source, TransactionRoom room, boolean wait) {
        List<Outcome> byOffset = new ArrayList<>(all);
        byOffset.removeIf(outcome -> outcome.position().source() != source);
        byOffset.sort(Comparator.comparingLong(outcome -> outcome.position().offset()));
        TransactionRoom before = room.copy();
        int most = wait ? 0 : room.admit(byOffset, Outcome::bytes);
        int low = 0;
        int kept = byOffset.size();
        for (int high = most; low < high;) {
            int middle = (low + high + 1) / 2;
            keep(byOffset, kept, middle);
            kept = middle;
            if (fits(source)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        keep(byOffset, kept, low);
        if (low < most) {
            room.resetTo(before);
            room.admit(byOffset.subList(0, low), Outcome::bytes);
        }
        long end = low == byOffset.size() ? Long.MAX_VALUE : byOffset.get(low).position().offset();
        return new Fit(end, low < most);
    }

    /// Changes the number of done outcomes, from the lowest `before` to the lowest `now`.
    private void keep(List<Outcome> byOffset, int before, int now) {
        for (int i = now; i < before; i++)
            ledger(byOffset.get(i)).reopen(byOffset.get(i));
        for (int i = before; i < now; i++)
            ledger(byOffset.get(i)).complete(byOffset.get(i));
    }

    void committed(Batch batch) {
        alone = false;
        stored = true;
        calls.committed(batch.offset());
        if (batch.frontier() != null)
            frontiers.committed(batch.offset().offset());
        OffsetAndMetadata beyond = batch.resumed();
        if (beyond != null)
            resumed.committed(beyond);
        forgetNotes(batch.outcomes());
    }

    /// These outcomes are committed. A call may end while its note is under way: by its deadline, or because it was
    /// cancelled. Otherwise: the commit of both is in doubt, the note is written again behind the tombstone, and a duplicate
    /// of the call finds one that seems to have begun, and runs.
    private void forgetNotes(List<Outcome> committed) {
        if (notes.isEmpty())
            return;
        List<JournalNote> late = notes.stream()
                .filter(note -> committed.stream().anyMatch(outcome -> outcome.isAbout(note.record()))).toList();
        notes.removeAll(late);
        late.forEach(note -> note.committed().complete(null));
    }

    /// Puts a batch that was not committed back, before the outcomes that came later.
    void putBack(Batch batch) {
        batch.outcomes().forEach(outcome -> ledger(outcome).reopen(outcome));
        waiting = joined(batch.outcomes(), waiting);
        notes = joined(batch.notes(), notes);
        full = false;
        resumedFull = false;
    }

    private static <T> List<T> joined(List<T> before, List<T> after) {
        List<T> all = new ArrayList<>(before);
        all.addAll(after);
        return all;
    }

    /// True if the group has no offset of the calls any more: brokers delete it with the topic. The end of a commit in
    /// doubt can then not be found out.
    boolean hasLost(@Nullable DoneOffsets storedCalls) {
        return stored && storedCalls == null;
    }

    /// Removes the outcomes that a commit of unknown end has published, and returns them. The others stay.
    ///
    /// @param storedCalls null if the offset of that topic is unknown
    List<Outcome> dropDone(@Nullable DoneOffsets storedCalls, @Nullable DoneOffsets storedResumed) {
        if (alone)
            return List.of();
        List<Outcome> done = new ArrayList<>();
        waiting.removeIf(outcome -> {
            DoneOffsets stored = isResumed(outcome) ? storedResumed : storedCalls;
            if (stored == null || !stored.isDone(outcome.position().offset()))
                return false;
            ledger(outcome).complete(outcome);
            return done.add(outcome);
        });
        forgetNotes(done);
        if (storedCalls != null)
            calls.stored(storedCalls);
        if (storedResumed != null)
            resumed.stored(storedResumed);
        return done;
    }

    /// Replaces an outcome that the broker refuses.
    void replace(Outcome refused, Outcome by) {
        waiting.set(waiting.indexOf(refused), by);
    }

    /// Makes a moved frontier due now.
    void hurry() {
        frontiers.hurry();
    }

    void frontierRefused() {
        frontiers.refused();
    }

    /// Drops a note that the broker refuses.
    void forget(JournalNote refused) {
        notes.remove(refused);
    }

    /// Returns the outcomes that are left when the assignment ends.
    List<Outcome> unpublished() {
        return waiting;
    }

    /// Returns the notes that calls wait for when the assignment ends.
    List<JournalNote> unnoted() {
        return notes;
    }
}
