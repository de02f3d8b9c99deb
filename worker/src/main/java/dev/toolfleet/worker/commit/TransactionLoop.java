package dev.toolfleet.worker.commit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntFunction;

import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.commit.PartitionCommit.Batch;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/// Publishes what finished, together with the offsets it came from: one transaction at a time, two producers in turns
/// (a single one would wait out its predecessor's markers).
///
/// Owns, on its one platform thread, both producers and the ledger of every assigned partition; the others send it
/// events. Keeps G1 and G2: an outcome is published in the transaction that commits its offset, in the order in which
/// calls finished, and only while its assignment holds.
public final class TransactionLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionLoop.class);
    private static final long IDLE_MILLIS = 100;
    private static final long BACKOFF_MILLIS = 100;

    private final CommitConfig config;
    private final Ownership ownership;
    private final CommittedOffsets committed;
    private final PartitionListener listener;
    private final TransactionalProducer[] producers;
    private final AssignedCommits partitions;
    private final List<CompletableFuture<Void>> flushes = new ArrayList<>();
    private final BlockingQueue<CommitEvent> inbox = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean stopping;
    private volatile boolean ended;
    private int turn;
    /// Set while the end of a transaction is unknown: nothing may be published before the committed offsets were read.
    private boolean unknown;

    /// A loop that is started by [#start].
    ///
    /// @param producer makes the producer of the first or second transactional id
    /// @param committed tells what the group has committed, after a transaction of unknown end
    public TransactionLoop(CommitConfig config, Ownership ownership, IntFunction<Producer<byte[], byte[]>> producer,
            CommittedOffsets committed, PartitionListener listener) {
        this.config = config;
        this.ownership = ownership;
        this.committed = committed;
        this.listener = listener;
        this.partitions = new AssignedCommits(config.maxMetadata());
        this.producers = new TransactionalProducer[]{new TransactionalProducer(() -> producer.apply(0)),
                new TransactionalProducer(() -> producer.apply(1))};
        this.thread = Thread.ofPlatform().name("transactions").unstarted(this::run);
    }

    /// What a group has committed.
    @FunctionalInterface
    public interface CommittedOffsets {
        /// Waits for stable offsets of the partitions; one without an offset is missing in the answer.
        Map<Integer, DoneOffsets> read(Iterable<Integer> partitions);
    }

    /// Takes both transactional ids, fencing earlier holders, and starts the thread.
    public void start() {
        ready();
        thread.start();
    }

    void ready() {
        try {
            for (TransactionalProducer producer : producers)
                producer.ready();
        } catch (RuntimeException e) {
            closeProducers();
            throw e;
        }
    }

    /// An assignment begins.
    public void opened(int partition, long epoch, DoneOffsets start) {
        inbox.add(new CommitEvent.Opened(partition, epoch, start));
    }

    /// Calls were read and will run. Sent before they can finish.
    public void tracked(int partition, long epoch, Offsets offsets, long next) {
        inbox.add(new CommitEvent.Tracked(partition, epoch, offsets, next));
    }

    /// A call has ended.
    public void finished(Outcome outcome) {
        inbox.add(new CommitEvent.Finished(outcome));
    }

    /// An assignment has ended.
    public void closed(int partition, long epoch) {
        inbox.add(new CommitEvent.Closed(partition, epoch));
    }

    /// Done when everything that was sent before is committed or dropped, or waits for room in its partition's
    /// metadata; fails when the loop has ended.
    public CompletableFuture<Void> flush() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        inbox.add(new CommitEvent.Flush(done));
        // Asked after it was sent: either the loop finds it at its end, or this sees that it has ended.
        if (ended)
            done.completeExceptionally(new IllegalStateException("transaction loop stopped"));
        return done;
    }

    private void run() {
        try {
            while (!stopping) {
                receive();
                if (!step())
                    Thread.sleep(BACKOFF_MILLIS);
            }
        } catch (Throwable e) {
            LOG.atError().setCause(e).log("transaction loop stopped");
            listener.failed(e);
        } finally {
            ended = true;
            failFlushes();
            closeProducers();
        }
    }

    /// Does what can be done now, without waiting for news: handles what has come, publishes what has finished. False
    /// when that failed and is to be tried again a little later.
    boolean step() {
        drain();
        if (unknown && !readBack())
            return false;
        // One snapshot for both: what is published, and the generation with which its offsets are committed.
        Ownership.Snapshot owned = ownership.current();
        Map<Integer, Batch> batches = partitions.take(owned);
        if (!batches.isEmpty() && !publish(batches, owned))
            return false;
        partitions.tellFullness(listener);
        if (!partitions.hasWork(ownership.current())) {
            flushes.forEach(flush -> flush.complete(null));
            flushes.clear();
        }
        return true;
    }

    /// Waits for news, then lets a small batch wait for company.
    private void receive() throws InterruptedException {
        boolean idle = flushes.isEmpty() && !unknown && !partitions.hasWork(ownership.current());
        CommitEvent first = inbox.poll(idle ? IDLE_MILLIS : 0, MILLISECONDS);
        if (first == null)
            return;
        handle(first);
        drain();
        long until = System.nanoTime() + config.linger().toNanos();
        for (long left = config.linger().toNanos(); left > 0 && lingers(); left = until - System.nanoTime()) {
            CommitEvent next = inbox.poll(left, NANOSECONDS);
            if (next != null)
                handle(next);
        }
    }

    private boolean lingers() {
        return flushes.isEmpty() && partitions.waiting() < config.lingerBelow();
    }

    private void drain() {
        for (CommitEvent next = inbox.poll(); next != null; next = inbox.poll())
            handle(next);
    }

    private void handle(CommitEvent event) {
        switch (event) {
            case CommitEvent.Opened(int partition, long epoch, DoneOffsets start) ->
                partitions.opened(partition, epoch, start);
            case CommitEvent.Tracked(int partition, long epoch, Offsets offsets, long next) ->
                partitions.tracked(partition, epoch, offsets, next);
            case CommitEvent.Finished(Outcome outcome) -> partitions.finished(outcome);
            case CommitEvent.Closed(int partition, long epoch) -> partitions.closed(partition, epoch);
            case CommitEvent.Flush(CompletableFuture<Void> done) -> flushes.add(done);
        }
    }

    /// One transaction. False when it was not committed, or nobody knows.
    private boolean publish(Map<Integer, Batch> batches, Ownership.Snapshot owned) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        batches.forEach((partition, batch) -> {
            batch.outcomes().forEach(outcome -> records.addAll(outcome.records()));
            offsets.put(new TopicPartition(config.callTopic(), partition), batch.offset());
        });
        try {
            producers[turn].commit(records, offsets, owned.group());
            partitions.committed(batches);
            turn = 1 - turn;
            return true;
        } catch (RuntimeException e) {
            unknown = e instanceof UnknownCommitException;
            partitions.putBack(batches);
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString()).addKeyValue(LogKeys.COUNT, records.size())
                    .log("transaction not committed, trying again");
            return false;
        }
    }

    /// After a transaction of unknown end: its producer is replaced, which ends it one way or the other; then the
    /// committed offsets tell which.
    private boolean readBack() {
        try {
            for (TransactionalProducer producer : producers)
                producer.ready();
            partitions.dropDone(committed.read(partitions.numbers()));
            unknown = false;
            return true;
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue(LogKeys.REASON, e.toString()).log("committed offsets not readable, trying again");
            return false;
        }
    }

    private void failFlushes() {
        for (CommitEvent event = inbox.poll(); event != null; event = inbox.poll()) {
            if (event instanceof CommitEvent.Flush(var done))
                flushes.add(done);
        }
        flushes.forEach(flush -> flush.completeExceptionally(new IllegalStateException("transaction loop stopped")));
        flushes.clear();
    }

    private void closeProducers() {
        for (TransactionalProducer producer : producers)
            producer.close();
    }

    /// Commits nothing more and ends the thread; flush first.
    @Override
    public void close() {
        stopping = true;
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
