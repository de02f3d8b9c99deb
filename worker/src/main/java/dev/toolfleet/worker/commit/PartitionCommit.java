package dev.toolfleet.worker.commit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.toolfleet.worker.assignment.Position.Source;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/// Transaction loop's state of one assigned partition: its ledgers, and its uncommitted outcomes and notes in the order
/// in which they came.
///
/// **Contract.** A note is committed no earlier than the outcomes that came before it: they may be those of earlier calls
/// of its lane. Otherwise: the worker dies between two transactions, and the next owner runs such a call again, although
/// a later one that must run after it has begun.
///
/// **Threads.** Owned by the loop's thread.
final class PartitionCommit {
    private final long epoch;
    private final InputLedger calls;
    private final InputLedger resumed;
    private final FrontierNotes frontiers;
    private final int maxMetadata;
    private final int maxResumedMetadata;
    private List<CommitEntry> waiting = new ArrayList<>();
    /// True while outcomes wait for room in the metadata; only a call that ends can make room.
    private boolean full;
    /// The same for outcomes of resumed calls: more than a thousand approved calls run, and others have ended in
    /// between.
    private boolean resumedFull;
    /// True while all notes wait for outcomes that wait for room in the metadata.
    private boolean notesHeld;
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
        tryAll();
    }

    private void tryAll() {
        full = false;
        resumedFull = false;
        notesHeld = false;
    }

    void noted(JournalNote note) {
        waiting.add(note);
        notesHeld = false;
    }

    int waiting() {
        return waiting.size();
    }

    /// True if a transaction now would publish or commit anything.
    boolean hasWork() {
        if (alone)
            return true;
        if (!full && !resumedFull)
            return !waiting.isEmpty() || calls.moved() || resumed.moved()
                    || frontiers.isDue(calls.frontier());
        return (!notesHeld && hasNotes())
                || (!full && (calls.moved() || waitsFor(Source.CALLS) || frontiers.isDue(calls.frontier())))
                || (!resumedFull && (resumed.moved() || waitsFor(Source.RESUMED)));
    }

    private boolean hasNotes() {
        return waiting.stream().anyMatch(JournalNote.class::isInstance);
    }

    private boolean waitsFor(Source source) {
        return waiting.stream().anyMatch(entry -> entry instanceof Outcome && entry.isOf(source));
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

    /// Moves the entries that fit into the next transaction, as far as that has room; null if nothing can go.
    ///
    /// Low offsets go first, because they move the frontier and so make room. Outcomes that would make the metadata too
    /// long stay. Both parts keep their order. One exception while the metadata is full: if read-only calls of one
    /// instance ran side by side, a later one may be published before an earlier one that finished first.
    @Nullable
    Batch take(TransactionRoom room) {
        if (alone)
            return new Batch(room.take(firstNotes(), CommitEntry::bytes), calls.now(), resumed.now(),
                    frontiers.due(calls.now()));
        TransactionRoom before = room.copy();
        List<CommitEntry> taken = room.take(waiting, CommitEntry::bytes);
        outcomes(taken).forEach(outcome -> ledger(outcome).complete(outcome));
        boolean all = fits(Source.CALLS) && fits(Source.RESUMED);
        if (!all) {
            room.resetTo(before);
            taken = fit(taken, room);
        }
        OffsetAndMetadata beyond = null;
        if (resumed.moved() || outcomes(taken).anyMatch(outcome -> outcome.isOf(Source.RESUMED))) {
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
            return taken.isEmpty() && beyond == null ? null : new Batch(taken, calls.committed(), beyond, null);
        }
        if (taken.isEmpty() && beyond == null && !calls.moved() && !frontiers.isDue(calls.frontier()))
            return null;
        OffsetAndMetadata now = calls.now();
        return new Batch(taken, now, beyond, frontiers.due(now));
    }

    /// Returns the notes that came before any outcome, as a view.
    private List<CommitEntry> firstNotes() {
        int count = 0;
        while (count < waiting.size() && waiting.get(count) instanceof JournalNote)
            count++;
        return waiting.subList(0, count);
    }

    private static Stream<Outcome> outcomes(List<CommitEntry> entries) {
        return entries.stream().filter(Outcome.class::isInstance).map(Outcome.class::cast);
    }

    private boolean fits(Source source) {
        return ledger(source).fits(switch (source) {
            case CALLS -> maxMetadata;
            case RESUMED -> maxResumedMetadata;
        });
    }

    /// Returns the outcomes of the lowest offsets, as many as fit, and the notes that wait for no other; `done` are done
    /// so far and came first. All outcomes are examined, even if the transaction has little room: the one that makes room
    /// in the metadata may have come last. Calls wait while an outcome of a resumed call finds no room: it may be of the
    /// same instance and have finished first.
    private List<CommitEntry> fit(List<CommitEntry> done, TransactionRoom room) {
        List<CommitEntry> all = joined(done, waiting);
        outcomes(waiting).forEach(outcome -> ledger(outcome).complete(outcome));
        waiting = new ArrayList<>();
        List<Outcome> examined = outcomes(all).toList();
        Fit ofResumed = fit(examined, Source.RESUMED, room, false);
        Fit ofCalls = fit(examined, Source.CALLS, room, room.isCut());
        resumedFull = ofResumed.held();
        full = ofCalls.held();
        Set<Source> fitting = EnumSet.allOf(Source.class);
        fitting.removeIf(source -> !fits(source));
        List<CommitEntry> taken = new ArrayList<>();
        for (CommitEntry entry : all) {
            boolean goes = switch (entry) {
                case Outcome outcome ->
                    outcome.position().offset() < (outcome.isOf(Source.RESUMED) ? ofResumed : ofCalls)
                            .end();
                case JournalNote note -> !waitsForOutcome(note, fitting) && room.admit(note.bytes());
            };
            (goes ? taken : waiting).add(entry);
        }
        notesHeld = !room.isCut() && hasNotes();
        return taken;
    }

    /// True if an outcome stays that came before the note and may be of its lane. Within one topic these have lower
    /// offsets. But the note of a call whose end makes room in the metadata must go: none waits for a topic whose
    /// metadata is too long although no more of its outcomes go, and those of resumed calls wait for no `tool.call` that
    /// is full. So the lowest call of one of the topics can always begin.
    ///
    /// @param fitting topics whose metadata has room for what goes
    private boolean waitsForOutcome(JournalNote note, Set<Source> fitting) {
        return outcomes(waiting).filter(outcome -> fitting.contains(outcome.position().source()))
                .anyMatch(outcome -> note.isOf(outcome.position().source())
                        ? outcome.position().offset() < note.position().offset()
                        : outcome.isOf(Source.RESUMED) || !full);
    }

    /// Outcomes of one topic that go.
    ///
    /// @param end the offset behind them
    /// @param held whether the metadata has no room for the others
    private record Fit(long end, boolean held) {}

    /// Leaves as many outcomes done as the metadata and the transaction have room for.
    private Fit fit(List<Outcome> all, Source source, TransactionRoom room, boolean wait) {
        List<Outcome> byOffset = new ArrayList<>(all);
        byOffset.removeIf(outcome -> !outcome.isOf(source));
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
        if (!hasNotes())
            return;
        List<JournalNote> late = unnoted().stream()
                .filter(note -> committed.stream().anyMatch(outcome -> outcome.isAbout(note.record()))).toList();
        waiting.removeAll(late);
        late.forEach(note -> note.committed().complete(null));
    }

    /// Puts a batch that was not committed back, before the entries that came later.
    void putBack(Batch batch) {
        batch.outcomes().forEach(outcome -> ledger(outcome).reopen(outcome));
        waiting = joined(batch.waited(), waiting);
        tryAll();
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
        waiting.removeIf(entry -> {
            DoneOffsets stored = entry.isOf(Source.RESUMED) ? storedResumed : storedCalls;
            if (!(entry instanceof Outcome outcome) || stored == null || !stored.isDone(outcome.position().offset()))
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
        waiting.remove(refused);
    }

    /// Returns the outcomes that are left when the assignment ends.
    List<Outcome> unpublished() {
        return outcomes(waiting).toList();
    }

    /// Returns the notes that calls wait for when the assignment ends.
    List<JournalNote> unnoted() {
        return waiting.stream().filter(JournalNote.class::isInstance).map(JournalNote.class::cast).toList();
    }
}
