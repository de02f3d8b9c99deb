package dev.toolfleet.worker.commit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;

import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.assignment.PartitionLoads;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.assignment.Position.Source;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Transaction loop's state of all assigned partitions.
///
/// **Threads.** Owned by the loop's thread.
final class AssignedCommits {
    private static final int HAND_OVERS = -1;

    private final NavigableMap<Integer, PartitionCommit> partitions = new TreeMap<>();
    private final int maxMetadata;
    private final PartitionLoads uncommitted;
    private List<ProducerRecord<byte[], byte[]>> handOvers = new ArrayList<>();
    /// Hand-overs whose topic could not be written, until `postponedUntil`.
    private final List<ProducerRecord<byte[], byte[]>> postponed = new ArrayList<>();
    private long postponedUntil;
    /// The partition, or the hand-overs, with which the next transaction begins.
    private int first = HAND_OVERS;

    /// @param uncommitted loses each outcome that is committed, or that will never be
    AssignedCommits(int maxMetadata, PartitionLoads uncommitted) {
        this.maxMetadata = maxMetadata;
        this.uncommitted = uncommitted;
    }

    void opened(int partition, long epoch, AssignmentStart from) {
        PartitionCommit before = partitions.get(partition);
        if (before != null)
            closed(partition, before.epoch());
        partitions.put(partition, new PartitionCommit(epoch, from, maxMetadata));
    }

    /// Adds records that were read. Returns false if the reader went back: the ledger counts offsets of another log, so
    /// this ends the assignment here.
    boolean tracked(Source source, int partition, long epoch, Offsets offsets, long next) {
        PartitionCommit held = held(partition, epoch);
        if (held == null || held.tracked(source, offsets, next))
            return true;
        closed(partition, epoch);
        return false;
    }

    void noted(JournalNote note) {
        PartitionCommit held = held(note.position());
        if (held != null) {
            held.noted(note);
        } else {
            note.committed().complete(null);
        }
    }

    void finished(Outcome outcome) {
        PartitionCommit held = held(outcome.position());
        if (held != null) {
            held.finished(outcome);
        } else {
            handOver(outcome);
        }
    }

    private void handOver(Outcome outcome) {
        left(outcome);
        ProducerRecord<byte[], byte[]> record = outcome.sequel().handOver();
        if (record != null)
            handOvers.add(record);
    }

    void handedOver(ProducerRecord<byte[], byte[]> record) {
        handOvers.add(record);
    }

    void closed(int partition, long epoch) {
        PartitionCommit held = held(partition, epoch);
        if (held == null)
            return;
        partitions.remove(partition);
        held.unpublished().forEach(this::handOver);
        held.unnoted().forEach(note -> note.committed().complete(null));
    }

    private @Nullable PartitionCommit held(Position position) {
        return held(position.partition(), position.epoch());
    }

    private @Nullable PartitionCommit held(int partition, long epoch) {
        PartitionCommit held = partitions.get(partition);
        return held != null && held.epoch() == epoch ? held : null;
    }

    Set<Integer> numbers() {
        return partitions.keySet();
    }

    boolean holds(int partition, long epoch) {
        return held(partition, epoch) != null;
    }

    long epoch(int partition) {
        return held(partition).epoch();
    }

    /// Number of outcomes and notes that are not committed.
    int waiting() {
        return partitions.values().stream().mapToInt(PartitionCommit::waiting).sum() + handOvers.size();
    }

    /// True if there is anything to publish now.
    ///
    /// @param sittingOut partitions that must wait
    boolean hasWork(Ownership.Snapshot owned, IntPredicate sittingOut) {
        return !handOvers.isEmpty() || partitions.keySet().stream()
                .anyMatch(partition -> hasWork(owned, partition) && !sittingOut.test(partition));
    }

    /// True if a partition has anything to publish now.
    boolean hasWork(Ownership.Snapshot owned, int partition) {
        PartitionCommit held = partitions.get(partition);
        return held != null && owned.owns(partition, held.epoch()) && held.hasWork();
    }

    /// Makes the next transaction of the partitions that are still owned. The source that finds no room comes first in
    /// the next transaction, or last if a part of it went. So every source gets its turn.
    Transaction take(CommitConfig config, Ownership.Snapshot owned, IntPredicate sittingOut, TransactionRoom room) {
        List<ProducerRecord<byte[], byte[]>> over = List.of();
        Map<Integer, Batch> batches = new HashMap<>();
        boolean cut = false;
        int next = first;
        for (int source : turns()) {
            room.nextSource();
            boolean went;
            if (source == HAND_OVERS) {
                over = room.take(handOvers, RecordBytes::of);
                went = !over.isEmpty();
            } else {
                Batch batch = sittingOut.test(source) ? null : take(source, owned, room);
                if (batch != null)
                    batches.put(source, batch);
                went = batch != null && batch.entries() > 0;
            }
            if (room.isCut() && !cut) {
                cut = true;
                next = went ? source + 1 : source;
            }
        }
        first = next;
        return new Transaction(config, batches, over, cut);
    }

    /// Makes the next transaction of one partition alone.
    Transaction takeAlone(CommitConfig config, Ownership.Snapshot owned, int partition, TransactionRoom room) {
        Batch batch = take(partition, owned, room);
        return new Transaction(config, batch == null ? Map.of() : Map.of(partition, batch), List.of(), room.isCut());
    }

    private List<Integer> turns() {
        List<Integer> turns = new ArrayList<>(partitions.size() + 1);
        if (first == HAND_OVERS)
            turns.add(HAND_OVERS);
        turns.addAll(partitions.tailMap(first, true).keySet());
        if (first != HAND_OVERS) {
            turns.add(HAND_OVERS);
            turns.addAll(partitions.headMap(first, false).keySet());
        }
        return turns;
    }

    private @Nullable Batch take(int partition, Ownership.Snapshot owned, TransactionRoom room) {
        return hasWork(owned, partition) ? held(partition).take(room) : null;
    }

    /// Postpones hand-overs to these targets, so that they hold up nothing else. Returns false if there are none.
    boolean postpone(Set<TopicPartition> targets, long until) {
        List<ProducerRecord<byte[], byte[]>> waiting = handOvers.stream()
                .filter(record -> targets.contains(Transaction.target(record))).toList();
        handOvers.removeAll(waiting);
        postponed.addAll(waiting);
        postponedUntil = until;
        return !waiting.isEmpty();
    }

    /// Resumes postponed hand-overs once their time has come.
    void resume(long now) {
        if (!postponed.isEmpty() && now - postponedUntil >= 0) {
            handOvers.addAll(postponed);
            postponed.clear();
        }
    }

    /// Takes back a transaction that was not committed.
    void putBack(Transaction transaction) {
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>(transaction.handOvers());
        all.addAll(handOvers);
        handOvers = all;
        transaction.batches().forEach((partition, batch) -> held(partition).putBack(batch));
    }

    /// Notes that the transaction was committed.
    void committed(Transaction transaction, PartitionListener listener) {
        transaction.batches().forEach((partition, batch) -> {
            PartitionCommit held = held(partition);
            held.committed(batch);
            batch.notes().forEach(note -> note.committed().complete(transaction.begunNanos()));
            batch.outcomes().forEach(outcome -> tell(outcome, transaction));
            listener.committed(partition, held.epoch(), batch.offset());
        });
    }

    private void tell(Outcome outcome, Transaction transaction) {
        left(outcome);
        RecordMetadata first = transaction.whereabouts(outcome);
        outcome.sequel().committed(first == null ? -1 : first.offset(), first == null ? -1 : first.timestamp());
    }

    private void left(Outcome outcome) {
        uncommitted.remove(outcome.position(), outcome.bytes());
    }

    /// Drops the outcomes that the committed offsets show as done: the transaction in doubt has published them. Ends
    /// the assignments of that transaction whose offsets were deleted, and returns them with their epochs: the results
    /// themselves show the next take-over which calls were answered. Otherwise: the commit took place, the topic is
    /// deleted with its offsets, and all outcomes are published again.
    Map<Integer, Long> dropDone(CommittedPositions stored, Transaction inDoubt) {
        Map<Integer, Long> lost = new TreeMap<>();
        partitions.forEach((partition, held) -> {
            if (inDoubt.batches().containsKey(partition) && held.hasLost(stored.calls(partition))) {
                lost.put(partition, held.epoch());
            } else {
                held.dropDone(stored.calls(partition), stored.resumed(partition))
                        .forEach(outcome -> tell(outcome, inDoubt));
            }
        });
        lost.forEach(this::closed);
        return lost;
    }

    /// Replaces or drops the one entry of a transaction that the broker refuses permanently. Returns false if there is
    /// no replacement.
    boolean replaceRefused(Transaction refused, Throwable cause) {
        // The broker may have refused one of the frontiers: they are left out for a while.
        List<Integer> journaled = refused.journaled();
        journaled.forEach(partition -> held(partition).frontierRefused());
        if (!journaled.isEmpty())
            return true;
        handOvers.removeAll(refused.handOvers());
        boolean replaced = true;
        for (Map.Entry<Integer, Batch> entry : refused.batches().entrySet()) {
            PartitionCommit held = held(entry.getKey());
            for (JournalNote note : entry.getValue().notes()) {
                held.forget(note);
                note.committed().completeExceptionally(cause);
            }
            for (Outcome outcome : entry.getValue().outcomes()) {
                Outcome instead = outcome.sequel().refused(cause);
                replaced &= instead != null;
                if (instead != null) {
                    held.replace(outcome, instead);
                    left(outcome);
                    uncommitted.add(instead.position(), instead.bytes());
                }
            }
        }
        return replaced;
    }

    /// Makes everything due now, for `flush`.
    CompletableFuture<Void> hurry(CompletableFuture<Void> flush) {
        partitions.values().forEach(PartitionCommit::hurry);
        return flush;
    }

    /// Fails all notes: no journal record will be written any more.
    void failNotes(RuntimeException cause) {
        partitions.values()
                .forEach(held -> held.unnoted().forEach(note -> note.committed().completeExceptionally(cause)));
    }

    /// The loop handles no events between [#take] and its end, so the partition exists.
    private PartitionCommit held(int partition) {
        PartitionCommit held = partitions.get(partition);
        if (held == null)
            throw new IllegalStateException("partition " + partition + " is not assigned");
        return held;
    }

    /// Reports the partitions that have become full or have room again.
    void tellFullness(PartitionListener listener) {
        partitions.forEach((partition, held) -> {
            if (held.fullnessChanged())
                listener.held(partition, held.epoch(), PartitionListener.Hold.METADATA_FULL, held.isFull());
        });
    }
}
