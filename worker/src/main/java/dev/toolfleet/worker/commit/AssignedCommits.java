package dev.toolfleet.worker.commit;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.commit.PartitionCommit.Batch;
import org.jspecify.annotations.Nullable;

/// Every assigned partition as the transaction loop sees it, and what news change in them. Owned by the loop's thread.
final class AssignedCommits {
    private final Map<Integer, PartitionCommit> partitions = new HashMap<>();
    private final int maxMetadata;

    AssignedCommits(int maxMetadata) {
        this.maxMetadata = maxMetadata;
    }

    void opened(int partition, long epoch, DoneOffsets start) {
        partitions.put(partition, new PartitionCommit(epoch, start, maxMetadata));
    }

    void tracked(int partition, long epoch, Offsets offsets, long next) {
        PartitionCommit held = held(partition, epoch);
        if (held != null) {
            offsets.forEach(held.ledger()::track);
            held.ledger().readUpTo(next);
        }
    }

    void finished(Outcome outcome) {
        PartitionCommit held = held(outcome.position().partition(), outcome.position().epoch());
        if (held != null)
            held.finished(outcome);
    }

    void closed(int partition, long epoch) {
        if (held(partition, epoch) != null)
            partitions.remove(partition);
    }

    private @Nullable PartitionCommit held(int partition, long epoch) {
        PartitionCommit held = partitions.get(partition);
        return held != null && held.epoch() == epoch ? held : null;
    }

    Set<Integer> numbers() {
        return partitions.keySet();
    }

    /// How many outcomes are not committed.
    int waiting() {
        return partitions.values().stream().mapToInt(PartitionCommit::waiting).sum();
    }

    /// Whether something waits that can be published now.
    boolean hasWork(Ownership.Snapshot owned) {
        return partitions.entrySet().stream().anyMatch(
                entry -> owned.owns(entry.getKey(), entry.getValue().epoch()) && entry.getValue().hasWork());
    }

    /// What goes into the next transaction, of the partitions that are still owned.
    Map<Integer, Batch> take(Ownership.Snapshot owned) {
        Map<Integer, Batch> batches = new HashMap<>();
        partitions.forEach((partition, held) -> {
            if (!owned.owns(partition, held.epoch()) || !held.hasWork())
                return;
            Batch batch = held.take();
            if (batch != null)
                batches.put(partition, batch);
        });
        return batches;
    }

    /// Takes batches back that were not committed.
    void putBack(Map<Integer, Batch> batches) {
        batches.forEach((partition, batch) -> held(partition).putBack(batch.outcomes()));
    }

    /// The batches were committed.
    void committed(Map<Integer, Batch> batches) {
        batches.forEach((partition, batch) -> held(partition).committed(batch.offset()));
    }

    /// Drops what the committed offsets show as done.
    void dropDone(Map<Integer, DoneOffsets> stored) {
        partitions.forEach((partition, held) -> {
            DoneOffsets done = stored.get(partition);
            if (done != null)
                held.dropDone(done);
        });
    }

    /// Between [#take] and its end no news is handled, so the partition is there.
    private PartitionCommit held(int partition) {
        PartitionCommit held = partitions.get(partition);
        if (held == null)
            throw new IllegalStateException("partition " + partition + " is not assigned");
        return held;
    }

    /// Tells which partitions have become full or have room again.
    void tellFullness(PartitionListener listener) {
        partitions.forEach((partition, held) -> {
            if (held.fullnessChanged())
                listener.metadataFull(partition, held.epoch(), held.isFull());
        });
    }
}
