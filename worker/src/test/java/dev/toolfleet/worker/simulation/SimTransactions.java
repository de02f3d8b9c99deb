package dev.toolfleet.worker.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.simulation.Faults.Fault;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;

/// The transaction coordinator: who holds a transactional id, with which epoch, and how its transaction ends. What was
/// decided reaches the partitions marker by marker, in any order.
final class SimTransactions {
    private static final long TIMEOUT_MILLIS = 10_000;

    private final Fibers fibers;
    private final Random random;
    private final Faults faults;
    private final SimGroup group;
    private final Predicate<TopicPartition> leaderless;
    private final Trace trace;
    private final Fibers.Program program;
    private final Map<String, Holder> holders = new LinkedHashMap<>();
    private int maxMetadata = DoneOffsets.MAX_METADATA;

    SimTransactions(Fibers fibers, Random random, Faults faults, SimGroup group, Fibers.Program program,
            Predicate<TopicPartition> leaderless, Trace trace) {
        this.trace = trace;
        this.leaderless = leaderless;
        this.fibers = fibers;
        this.random = random;
        this.faults = faults;
        this.group = group;
        this.program = program;
    }

    private static final class Holder {
        int epoch;
        Fibers.@Nullable Program program;
        @Nullable
        SimTransaction transaction;
    }

    /// Longer metadata of offsets of calls is refused.
    void limitMetadata(int characters) {
        maxMetadata = characters;
    }

    /// A new producer takes the id: its predecessor is fenced, what that left open ends.
    int init(String id, Fibers.Program program) {
        Holder holder = holders.computeIfAbsent(id, _ -> new Holder());
        holder.program = program;
        int epoch = ++holder.epoch;
        SimTransaction left = holder.transaction;
        if (left != null) {
            if (left.isOpen())
                decide(left, false);
            fibers.await(left::isComplete, Long.MAX_VALUE);
            check(id, epoch);
            holder.transaction = null;
        }
        return epoch;
    }

    /// Ends what the holders of ids have open that are not in the group any more, as an heir may.
    void fenceTheDead() {
        List.copyOf(holders.entrySet()).forEach(entry -> {
            Fibers.Program program = entry.getValue().program;
            SimTransaction transaction = entry.getValue().transaction;
            if (program != null && !group.has(program) && transaction != null && transaction.isOpen())
                fence(entry.getKey(), program);
        });
    }

    /// Two heirs may do so at the same time: one of them is fenced by the other, and the transaction has ended for both.
    private void fence(String id, Fibers.Program program) {
        try {
            init(id, program);
        } catch (ProducerFencedException e) {
            trace.add(fibers.now(), "transaction", () -> id + " was fenced by two at once");
        }
    }

    /// Returns the record's offset.
    long append(String id, int epoch, SimLog log,
            ProducerRecord<byte[], byte[]> record) {
        SimTransaction transaction = open(id, epoch);
        return log.append(transaction.slices.computeIfAbsent(log, _ -> new SimLog.Slice()), fibers.now(), record.key(),
                record.value(), record.headers());
    }

    void offsets(String id, int epoch, Map<TopicPartition, OffsetAndMetadata> offsets, String member, int generation) {
        SimTransaction transaction = open(id, epoch);
        offsets.forEach((partition, offset) -> {
            if (partition.topic().equals(Topic.CALL.baseName()) && offset.metadata().length() > maxMetadata)
                throw new OffsetMetadataTooLarge("metadata of " + partition + " too long: " + offset.metadata());
        });
        group.check(member, generation);
        transaction.offsets.putAll(offsets);
        group.pend(transaction, offsets);
    }

    /// The id's transaction; a new one, once the markers of the one before are written.
    private SimTransaction open(String id, int epoch) {
        Holder holder = check(id, epoch);
        SimTransaction transaction = holder.transaction;
        if (transaction != null && transaction.isOpen())
            return transaction;
        if (transaction != null) {
            fibers.await(transaction::isComplete, Long.MAX_VALUE);
            check(id, epoch);
        }
        SimTransaction fresh = new SimTransaction(id, fibers.now());
        holder.transaction = fresh;
        return fresh;
    }

    /// Ends the id's transaction; asked twice, the first end stands.
    void end(String id, int epoch, boolean commit) {
        SimTransaction transaction = check(id, epoch).transaction;
        if (transaction != null && transaction.isOpen()) {
            decide(transaction, commit);
        } else if (transaction != null && transaction.committed != commit) {
            throw new ProducerFencedException("the transaction ended otherwise");
        }
    }

    /// Returns an action that commits the id's transaction of this moment, if it is still open then. It commits no
    /// later one: each has an epoch of its own (KIP-890).
    Runnable lateCommit(String id, int epoch) {
        SimTransaction transaction = check(id, epoch).transaction;
        return () -> {
            if (transaction != null && transaction.isOpen())
                decide(transaction, true);
        };
    }

    private Holder check(String id, int epoch) {
        Holder holder = holders.computeIfAbsent(id, _ -> new Holder());
        if (holder.epoch != epoch)
            throw new ProducerFencedException(id + " has epoch " + holder.epoch + ", not " + epoch);
        return holder;
    }

    /// Ends what is open for too long; its producer is fenced.
    void expire() {
        holders.forEach((_, holder) -> {
            SimTransaction transaction = holder.transaction;
            if (transaction != null && transaction.isOpen()
                    && fibers.now() - transaction.startedAt > TIMEOUT_MILLIS) {
                holder.epoch++;
                decide(transaction, false);
            }
        });
    }

    private void decide(SimTransaction transaction, boolean commit) {
        trace.add(fibers.now(), "transaction", () -> transaction + (commit ? " commits" : " aborts"));
        transaction.state = commit ? SimTransaction.State.COMMITTING : SimTransaction.State.ABORTING;
        transaction.committed = commit;
        if (commit)
            transaction.slices.values().forEach(SimLog.Slice::decided);
        List<Runnable> markers = new ArrayList<>();
        transaction.slices.forEach((log, slice) -> markers.add(() -> log.mark(slice, commit)));
        boolean waits = transaction.slices.keySet().stream().anyMatch(log -> leaderless.test(log.place()));
        if (!transaction.offsets.isEmpty())
            markers.add(() -> group.complete(transaction, commit));
        Collections.shuffle(markers, random);
        if (faults.happens(Fault.SLOW_MARKERS) || waits) {
            fibers.spawn(program, () -> {
                fibers.await(() -> transaction.slices.keySet().stream().noneMatch(log -> leaderless.test(log.place())),
                        Long.MAX_VALUE);
                for (Runnable marker : markers) {
                    fibers.sleep(faults.happens(Fault.STUCK_MARKER) ? 500 : random.nextInt(12));
                    marker.run();
                }
                transaction.state = SimTransaction.State.COMPLETE;
            });
        } else {
            markers.forEach(Runnable::run);
            transaction.state = SimTransaction.State.COMPLETE;
        }
    }
}
