package dev.toolfleet.worker.commit;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Publishes one transaction at a time, with two producers in turns (a single one would wait out its predecessor's
/// markers), and knows what to do when one fails (DESIGN 4.5):
///
/// - not committed, for certain: put back, tried again;
/// - end unknown: nothing is published before the committed offsets were read back;
/// - refused for what a record is: halved until the record is found, which is then replaced by an error;
/// - a topic that cannot be written: the partitions concerned sit out.
///
/// Owned by the transaction loop's thread; [#failingNanos] may be read by any.
final class TransactionPublisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionPublisher.class);

    private static final Duration HAND_OVER_PAUSE = Duration.ofSeconds(10);

    private final AssignedCommits partitions;
    private final Quarantine quarantine;
    private final FleetingRecords fleeting;
    private final TransactionLoop.CommittedOffsets committed;
    private final PartitionListener listener;
    private final LongSupplier nanos;
    private final TransactionalProducer[] producers;
    private int turn;
    /// How many entries the next transaction may have: fewer while one that is refused is looked for.
    private int limit = Integer.MAX_VALUE;
    /// The transaction whose end is unknown.
    private @Nullable Transaction inDoubt;
    private volatile long failingSince;
    private volatile boolean failing;

    TransactionPublisher(AssignedCommits partitions, Quarantine quarantine, FleetingRecords fleeting,
            IntFunction<Producer<byte[], byte[]>> make, TransactionLoop.CommittedOffsets committed,
            PartitionListener listener, LongSupplier nanos) {
        this.partitions = partitions;
        this.quarantine = quarantine;
        this.fleeting = fleeting;
        this.committed = committed;
        this.listener = listener;
        this.nanos = nanos;
        this.producers = new TransactionalProducer[]{new TransactionalProducer(() -> make.apply(0)),
                new TransactionalProducer(() -> make.apply(1))};
    }

    /// Takes both transactional ids, fencing earlier holders.
    void ready() {
        try {
            for (TransactionalProducer producer : producers)
                producer.ready();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /// Whether the end of a transaction is unknown.
    boolean inDoubt() {
        return inDoubt != null;
    }

    /// How long nothing could be committed, in nanoseconds; 0 when the last transaction was.
    long failingNanos() {
        return failing ? Math.max(1, nanos.getAsLong() - failingSince) : 0;
    }

    /// Nothing waits that could be committed, so nothing fails to be.
    void idle() {
        failing = false;
    }

    /// How many entries the next transaction may have.
    int limit() {
        return limit;
    }

    /// Publishes; false when that failed and is to be tried again a little later.
    boolean publish(Transaction transaction, Ownership.Snapshot owned) {
        transaction.begun(nanos.getAsLong());
        try {
            producers[turn].commit(transaction, owned.group());
        } catch (RuntimeException e) {
            partitions.putBack(transaction);
            told(false, transaction);
            if (!failing) {
                failingSince = transaction.begunNanos();
                failing = true;
            }
            return decide(transaction, e);
        }
        told(true, transaction);
        partitions.committed(transaction, listener);
        quarantine.committed(transaction.batches().keySet());
        fleeting.committed(transaction.fleeting());
        turn = 1 - turn;
        failing = false;
        limit = limit > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : limit * 2;
        return true;
    }

    private void told(boolean committed, Transaction transaction) {
        listener.ended(committed, transaction.records().size(), nanos.getAsLong() - transaction.begunNanos());
    }

    private boolean decide(Transaction transaction, RuntimeException e) {
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
        // One of the fleeting ones may have been refused: tried again without them, before anything is judged by it.
        if (refusal != null)
            return !transaction.fleeting().isEmpty() || halve(transaction, refusal);
        Set<Integer> concerned = transaction.concerned(unreachable);
        concerned.forEach(partition -> quarantine.add(partition, partitions.epoch(partition), unreachable, listener));
        boolean postponed = partitions.postpone(unreachable, nanos.getAsLong() + HAND_OVER_PAUSE.toNanos());
        return postponed || lighter || !concerned.isEmpty();
    }

    private boolean halve(Transaction transaction, Throwable refusal) {
        if (transaction.entries() > 1) {
            limit = (transaction.entries() + 1) / 2;
            return true;
        }
        limit = Integer.MAX_VALUE;
        LOG.atError().addKeyValue(LogKeys.REASON, refusal.toString())
                .log("a record is refused for what it is, an error is published instead");
        if (partitions.replaceRefused(transaction, refusal))
            return true;
        Set<TopicPartition> targets = Set.copyOf(
                transaction.records().stream().map(Transaction::target).collect(Collectors.toSet()));
        transaction.batches().keySet()
                .forEach(partition -> quarantine.add(partition, partitions.epoch(partition), targets, listener));
        return true;
    }

    private static boolean isFenced(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ProducerFencedException || cause instanceof InvalidProducerEpochException)
                return true;
        }
        return false;
    }

    /// After a transaction of unknown end: its producer is replaced, which ends it one way or the other; then the
    /// committed offsets tell which. False when that failed and is to be tried again.
    boolean readBack() {
        Transaction unknown = inDoubt;
        if (unknown == null)
            return true;
        try {
            for (TransactionalProducer producer : producers)
                producer.ready();
            partitions.dropDone(committed.read(List.copyOf(partitions.numbers())), unknown);
            inDoubt = null;
            return true;
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString()).log("committed offsets not readable, trying again");
            return false;
        }
    }

    @Override
    public void close() {
        for (TransactionalProducer producer : producers)
            producer.close();
    }
}
