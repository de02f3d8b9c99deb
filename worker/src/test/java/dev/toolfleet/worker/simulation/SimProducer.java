package dev.toolfleet.worker.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.simulation.Faults.Fault;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A transactional producer over the simulated cluster, with what can go wrong in one. Its methods are those of
/// [Producer] that the engine calls.
class SimProducer {
    /// The largest value that the topic of results takes.
    static final int MAX_RESULT = 4_000;
    /// Longest time until a record is written.
    private static final long DELIVERY_MILLIS = 8_000;

    private final SimCluster cluster;
    private final Fibers.Program program;
    private final String id;
    private final List<CompletableFuture<RecordMetadata>> unsent = new ArrayList<>();
    private int epoch = -1;
    /// Sent in this transaction, and not yet with the broker.
    private final List<Unsent> queue = new ArrayList<>();
    private @Nullable RuntimeException broken;
    /// It can do nothing any more.
    private boolean fatal;
    /// The coordinator knows of this transaction.
    private boolean added;
    /// A commit was asked for and its end is not known to the client.
    private boolean committing;

    private record Unsent(TopicPartition place, ProducerRecord<byte[], byte[]> record,
            CompletableFuture<RecordMetadata> sent) {
        int bytes() {
            return 100 + (record.value() == null ? 0 : record.value().length);
        }
    }

    SimProducer(SimCluster cluster, Fibers.Program program, String id) {
        this.cluster = cluster;
        this.program = program;
        this.id = id;
    }

    @SuppressWarnings("unchecked")
    Producer<byte[], byte[]> asProducer() {
        return Fakes.of(Producer.class, this);
    }

    public void initTransactions() {
        cluster.fibers.pause();
        if (happens(Fault.INIT))
            throw new TimeoutException("initTransactions");
        epoch = cluster.transactions.init(id, program);
    }

    public void beginTransaction() {
        stall();
        added = false;
        if (committing || broken != null)
            throw new IllegalStateException("transaction not ended");
    }

    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
        cluster.fibers.checkAlive();
        CompletableFuture<RecordMetadata> sent = new CompletableFuture<>();
        if (happens(Fault.SEND)) {
            unsent.add(sent);
            if (cluster.random.nextBoolean())
                failUnsent();
            return sent;
        }
        if (broken == null && isRefused(record))
            broken = new RecordTooLargeException("larger than the topic allows");
        if (broken != null) {
            sent.completeExceptionally(broken);
            return sent;
        }
        Unsent unsent = new Unsent(place(record), record, sent);
        if (cluster.hazards.bytesPerSecond > 0 || cluster.isLeaderless(unsent.place()) || isWaitedFor(unsent.place())) {
            queue.add(unsent);
        } else {
            write(unsent);
        }
        return sent;
    }

    /// A producer keeps the order of what it sends to a partition, also when that has a leader again meanwhile.
    private boolean isWaitedFor(TopicPartition place) {
        return queue.stream().anyMatch(waiting -> waiting.place().equals(place));
    }

    private void write(Unsent unsent) {
        added = true;
        try {
            long offset = cluster.transactions.append(id, epoch, cluster.log(unsent.place()), unsent.record());
            unsent.sent().complete(new RecordMetadata(unsent.place(), offset, 0, cluster.fibers.now(), -1, -1));
        } catch (KafkaException e) {
            broken = e;
            unsent.sent().completeExceptionally(e);
        }
    }

    /// Writes what waits as fast as the broker lets it, for no longer than a record may take.
    private void deliver() {
        long begun = cluster.fibers.now();
        for (Unsent next : List.copyOf(queue)) {
            if (cluster.hazards.bytesPerSecond > 0)
                cluster.fibers.sleep(1_000L * next.bytes() / cluster.hazards.bytesPerSecond);
            cluster.fibers.await(() -> !cluster.isLeaderless(next.place()),
                    Math.max(0, begun + DELIVERY_MILLIS - cluster.fibers.now()));
            if (cluster.fibers.now() - begun > DELIVERY_MILLIS || cluster.isLeaderless(next.place())) {
                broken = new TimeoutException("not delivered in time");
                next.sent().completeExceptionally(broken);
            } else if (broken == null) {
                write(next);
            } else {
                next.sent().completeExceptionally(broken);
            }
        }
        queue.clear();
    }

    private static boolean isRefused(ProducerRecord<byte[], byte[]> record) {
        return record.topic().equals(Topic.RESULT.baseName()) && record.value().length > MAX_RESULT;
    }

    private void failUnsent() {
        if (unsent.isEmpty())
            return;
        broken = new TimeoutException("not sent in time");
        unsent.forEach(one -> one.completeExceptionally(new TimeoutException("not sent in time")));
        unsent.clear();
    }

    /// Takes the id anew, which ends what is open of it.
    void renew() {
        epoch = cluster.transactions.init(id, program);
        committing = false;
        broken = null;
    }

    void appendOutside(ProducerRecord<byte[], byte[]> record) {
        cluster.fibers.checkAlive();
        cluster.log(place(record)).append(null, cluster.fibers.now(), record.key(), record.value(), record.headers());
    }

    private TopicPartition place(ProducerRecord<byte[], byte[]> record) {
        Integer partition = record.partition();
        return new TopicPartition(record.topic(), partition != null
                ? partition
                : Math.floorMod(Arrays.hashCode(record.key()), cluster.partitions));
    }

    public void sendOffsetsToTransaction(Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata member) {
        cluster.fibers.pause();
        failed();
        if (happens(Fault.OFFSETS)) {
            broken = new CommitFailedException("rebalance in progress");
            throw broken;
        }
        added = true;
        try {
            cluster.transactions.offsets(id, epoch, offsets, member.memberId(), member.generationId());
        } catch (KafkaException e) {
            broken = e;
            fatal = e instanceof OffsetMetadataTooLarge;
            throw e;
        }
    }

    public void flush() {
        stall();
        deliver();
        failUnsent();
    }

    public void commitTransaction() {
        cluster.fibers.pause();
        if (!committing)
            failed();
        if (happens(Fault.COMMIT_NOT_SENT)) {
            committing = true;
            throw new TimeoutException("commit not sent");
        }
        try {
            if (happens(Fault.COMMIT_LATE)) {
                commitLater();
                committing = true;
                throw new TimeoutException("commit delayed");
            }
            cluster.transactions.end(id, epoch, true);
        } catch (TimeoutException e) {
            throw e;
        } catch (KafkaException e) {
            broken = e;
            committing = false;
            throw e;
        }
        if (happens(Fault.COMMIT_UNSEEN)) {
            committing = true;
            throw new TimeoutException("answer to commit lost");
        }
        if (happens(Fault.COMMIT_BROKEN)) {
            broken = new KafkaException("answer to commit not understood");
            committing = true;
            throw broken;
        }
        committing = false;
        cluster.fibers.pause();
    }

    /// The request is on its way, whatever becomes of its sender.
    private void commitLater() {
        Runnable commit = cluster.transactions.lateCommit(id, epoch);
        long delay = 1L + cluster.random.nextInt(3_000);
        cluster.fibers.spawn(new Fibers.Program(), () -> {
            cluster.fibers.sleep(delay);
            commit.run();
        });
    }

    public void abortTransaction() {
        cluster.fibers.pause();
        if (committing)
            throw new IllegalStateException("a commit was asked for");
        if (fatal)
            throw new KafkaException("in a fatal state", broken);
        if (added)
            cluster.transactions.end(id, epoch, false);
        queue.clear();
        unsent.clear();
        broken = null;
    }

    public void close(Duration timeout) {
        cluster.fibers.checkAlive();
    }

    private void stall() {
        cluster.fibers.sleep(happens(Fault.STALL) ? cluster.random.nextInt(9_000) : 0);
    }

    private void failed() {
        if (broken != null)
            throw new KafkaException("the transaction is in an error state", broken);
    }

    private boolean happens(Fault fault) {
        return !program.isDead() && cluster.faults.happens(fault);
    }
}
