package dev.toolfleet.worker.commit;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Publishes one transaction at a time, none larger than [TransactionBound] allows, and handles failed ones.
///
/// **Contract.** After a failure the next transaction is half as large, unless only the generation has changed. Beyond
/// that:
///
/// - A transaction that was certainly not committed is put back and tried again.
/// - After a transaction of unknown end, no other is published before the committed offsets were read back.
/// - A record that the broker refuses permanently is found by a transaction of that record alone, and replaced by an
///   error.
/// - Partitions with a topic that was not written in time are tried alone ([Quarantine]), and the producer is set aside
///   ([ProducerPair]).
///
/// See `docs/decisions/0049`.
///
/// **Threads.** Owned by the transaction loop's thread; any thread may call [#failingNanos].
final class TransactionPublisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionPublisher.class);

    private static final Duration HAND_OVER_PAUSE = Duration.ofSeconds(10);

    private final AssignedCommits partitions;
    private final Quarantine quarantine;
    private final DroppableRecords fleeting;
    private final CommittedOffsets committed;
    private final PartitionListener listener;
    private final LongSupplier nanos;
    private final CommitConfig config;
    private final ProducerPair producers;
    /// True if the last transaction was one of a partition alone.
    private boolean aloneBefore;
    private final TransactionBound bound;
    /// Transaction whose end is unknown.
    private @Nullable Transaction inDoubt;
    private volatile long failingSince;
    private volatile boolean failing;
    private volatile @Nullable String clockRefused;

    TransactionPublisher(CommitConfig config, AssignedCommits partitions, Quarantine quarantine,
            DroppableRecords fleeting, ProducerPair producers, CommittedOffsets committed,
            PartitionListener listener, LongSupplier nanos) {
        this.config = config;
        this.partitions = partitions;
        this.quarantine = quarantine;
        this.fleeting = fleeting;
        this.producers = producers;
        this.committed = committed;
        this.listener = listener;
        this.nanos = nanos;
        this.bound = new TransactionBound(config.maxEntries(), config.maxBytes());
    }

    /// Takes both transactional ids, fencing earlier holders.
    void ready() {
        try {
            producers.ready();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /// True if the end of a transaction is unknown.
    boolean inDoubt() {
        return inDoubt != null;
    }

    /// Returns the time for which no transaction could be committed, in nanoseconds; 0 if the last one was.
    long failingNanos() {
        return failing ? Math.max(1, nanos.getAsLong() - failingSince) : 0;
    }

    /// Ends the count of failing time, because no entry waits.
    void idle() {
        failing = false;
        clockRefused = null;
    }

    /// Returns a topic that refused a record of the last transaction because of its time; null if none did.
    @Nullable
    String clockRefused() {
        return clockRefused;
    }

    /// True if there is anything to publish now.
    boolean hasWork(Ownership.Snapshot owned) {
        return partitions.hasWork(owned, quarantine::holds)
                || quarantine.hasAlone(partition -> partitions.hasWork(owned, partition));
    }

    /// Publishes one transaction. Returns false if that failed and is to be tried again a little later. Transactions of
    /// single partitions and common ones take turns.
    ///
    /// @param owned the assignments to publish, and the generation with which their offsets are committed
    boolean publish(Ownership.Snapshot owned, boolean fenced) {
        quarantine.look(listener);
        partitions.resume(nanos.getAsLong());
        Integer alone = quarantine.alone(partition -> partitions.hasWork(owned, partition), listener);
        TransactionRoom room = bound.room();
        if (alone != null && !(aloneBefore && partitions.hasWork(owned, quarantine::holds))) {
            aloneBefore = true;
            Transaction next = partitions.takeAlone(config, owned, alone, room);
            return next.isEmpty() || publish(next, owned, alone);
        }
        aloneBefore = false;
        Transaction next = partitions.take(config, owned, quarantine::holds, room);
        if (!fenced)
            next.carry(fleeting.take(room));
        return next.isEmpty() || putBackClosed(next) || publish(next, owned, null);
    }

    /// Takes a transaction with entries for a closed target back, before they make it fail. Returns true if there are
    /// such entries.
    private boolean putBackClosed(Transaction transaction) {
        Set<TopicPartition> closed = new HashSet<>(quarantine.closedTargets());
        closed.addAll(producers.closedTargets());
        Map<Integer, Set<TopicPartition>> concerned = transaction.concerned(closed);
        boolean handsOver = transaction.handOvers().stream().map(Transaction::target).anyMatch(closed::contains);
        if (concerned.isEmpty() && !handsOver)
            return false;
        partitions.putBack(transaction);
        partitions.postpone(closed, nanos.getAsLong() + HAND_OVER_PAUSE.toNanos());
        concerned.forEach((partition, targets) -> quarantine.suspect(partition, partitions.epoch(partition), targets));
        quarantine.look(listener);
        return true;
    }

    private boolean publish(Transaction transaction, Ownership.Snapshot owned, @Nullable Integer alone) {
        transaction.begun(nanos.getAsLong());
        try {
            producers.next().commit(transaction, owned.group());
        } catch (RuntimeException e) {
            partitions.putBack(transaction);
            told(false, transaction);
            if (!SendFailures.isMembershipChange(e))
                bound.failed(transaction.entries(), transaction.bytes());
            if (!failing) {
                failingSince = transaction.begunNanos();
                failing = true;
            }
            clockRefused = transaction.clockRefused();
            return decide(transaction, e, alone != null);
        }
        told(true, transaction);
        partitions.committed(transaction, listener);
        if (alone != null)
            quarantine.committed(alone, transaction.targets(), listener);
        fleeting.committed(transaction.fleeting());
        producers.committed();
        failing = false;
        clockRefused = null;
        if (transaction.isCut())
            bound.committed(transaction.entries(), transaction.bytes(), nanos.getAsLong() - transaction.begunNanos());
        return true;
    }

    private void told(boolean committed, Transaction transaction) {
        listener.ended(committed, transaction.records().size(), nanos.getAsLong() - transaction.begunNanos());
    }

    private boolean decide(Transaction transaction, RuntimeException e, boolean alone) {
        LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString()).addKeyValue(LogKeys.COUNT, transaction.records().size())
                .log("transaction not committed, trying again");
        if (isFenced(e))
            listener.fenced();
        if (e instanceof UnknownCommitException) {
            inDoubt = transaction;
            return false;
        }
        Throwable refusal = transaction.refusal();
        if (refusal == null && SendFailures.isRefusal(e))
            refusal = e;
        Set<TopicPartition> unreachable = transaction.unreachable();
        boolean lighter = fleeting.failed(transaction.fleeting(), unreachable);
        // The broker may have refused one of the fleeting records: the transaction is tried without them before any
        // entry is judged.
        if (refusal != null)
            return !transaction.fleeting().isEmpty() || refused(transaction, refusal);
        if (!unreachable.isEmpty())
            producers.failed(unreachable);
        Map<Integer, Set<TopicPartition>> concerned = transaction.concerned(unreachable);
        concerned.forEach((partition, targets) -> {
            if (alone && transaction.entries() == 1) {
                quarantine.sitOut(partition, partitions.epoch(partition), targets, listener);
            } else {
                quarantine.suspect(partition, partitions.epoch(partition), targets);
            }
        });
        quarantine.look(listener);
        boolean postponed = partitions.postpone(unreachable, nanos.getAsLong() + HAND_OVER_PAUSE.toNanos());
        return postponed || lighter || !concerned.isEmpty();
    }

    /// Looks for the refused record in smaller transactions, if there are several entries.
    private boolean refused(Transaction transaction, Throwable refusal) {
        if (transaction.entries() > 1)
            return true;
        LOG.atError().addKeyValue(LogKeys.REASON, refusal.toString())
                .log("record refused by the broker: an error is published instead");
        if (partitions.replaceRefused(transaction, refusal))
            return true;
        transaction.batches().keySet().forEach(partition -> quarantine.refuse(partition, partitions.epoch(partition),
                transaction.targets(), listener));
        return true;
    }

    private static boolean isFenced(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ProducerFencedException || cause instanceof InvalidProducerEpochException)
                return true;
        }
        return false;
    }

    /// Resolves a transaction of unknown end: a new producer ends it one way or the other, then the committed offsets
    /// show which. Returns false if that failed and is to be tried again.
    boolean readBack() {
        Transaction unknown = inDoubt;
        if (unknown == null)
            return true;
        try {
            producers.ready();
            partitions.dropDone(committed.read(List.copyOf(partitions.numbers())), unknown).forEach(this::lost);
            inDoubt = null;
            return true;
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString())
                    .log("committed offsets could not be read, trying again");
            return false;
        }
    }

    private void lost(int partition, long epoch) {
        LOG.atError().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.EPOCH, epoch)
                .log("committed offsets were deleted while a commit was in doubt");
        quarantine.closed(partition);
        listener.wentBack(partition, epoch);
    }

    @Override
    public void close() {
        producers.close();
    }
}
