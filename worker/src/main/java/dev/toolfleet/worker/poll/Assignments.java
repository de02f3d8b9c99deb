package dev.toolfleet.worker.poll;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import dev.toolfleet.worker.assignment.Ownership;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.Incarnation;
import dev.toolfleet.worker.commit.PartitionListener;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The partitions that the group has assigned to this worker: begins, feeds and ends each assignment, and publishes what
/// is owned. Owned by the poll thread.
final class Assignments {
    private static final Logger LOG = LoggerFactory.getLogger(Assignments.class);

    private final PollConfig config;
    private final Consumer<byte[], byte[]> consumer;
    private final Ownership ownership;
    private final PollLoop.Engine engine;
    private final PollLoop.TakeOvers takeOvers;
    private final Map<Integer, AssignedPartition> assigned = new HashMap<>();
    private final UnreadablePartitions unreadable;
    /// Partitions that are to be taken over anew once [#silent] is done.
    private final Set<Integer> renewing = new HashSet<>();
    /// Done when nothing of the assignments that a fencing or a renewal ended is published any more.
    private CompletableFuture<Void> silent = CompletableFuture.completedFuture(null);
    private long epochs;

    Assignments(PollConfig config, Consumer<byte[], byte[]> consumer, Ownership ownership, PollLoop.Engine engine,
            PollLoop.TakeOvers takeOvers) {
        this.config = config;
        this.unreadable = new UnreadablePartitions(config.topic(), consumer, config.reread(), System::nanoTime);
        this.consumer = consumer;
        this.ownership = ownership;
        this.engine = engine;
        this.takeOvers = takeOvers;
    }

    void publish() {
        ownership.publish(new Ownership.Snapshot(consumer.groupMetadata(), assigned.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().epoch()))));
    }

    boolean isFenced() {
        return ownership.isFenced();
    }

    /// A worker of which the group may not have heard for its session timeout gives everything up, and takes what is
    /// still assigned to it over anew when it is heard again: what its calls came to meanwhile was dropped.
    void fenceSelf() {
        if (!isFenced())
            return;
        if (!assigned.isEmpty()) {
            LOG.atWarn().addKeyValue(LogKeys.MILLIS, ownership.lease().age().toMillis())
                    .addKeyValue(LogKeys.COUNT, assigned.size())
                    .log("the group has not heard of this worker for its session timeout, giving its partitions up");
            giveUp(assigned.keySet().stream().map(this::on).toList(), true);
            silent = engine.silent();
        }
        // An answer may say that the group has expelled it: the consumer then knows no generation.
        Set<TopicPartition> still = consumer.assignment();
        // Member and generation may be as before, so nothing but this worker itself keeps a transaction of the old
        // assignments from being committed while the new ones read what there is.
        if (silent.isDone() && (still.isEmpty() || consumer.groupMetadata().generationId() >= 0) && ownership.open())
            begin(still);
    }

    /// Ends assignments whose log is another one than they were taken over from, so that they are taken over anew. What has
    /// finished is published first: its callers asked for it, and the next take-over judges the offsets by log and leader
    /// epoch. Calls that must not run twice run on and are handed over, as when a partition moves.
    private void renew(Collection<TopicPartition> partitions) {
        consumer.pause(partitions);
        moving(partitions);
        RevokeWait.until(engine.committed(), config.revokeTimeout());
        giveUp(partitions, false);
        partitions.forEach(partition -> renewing.add(partition.partition()));
        silent = engine.silent();
    }

    void renew(int partition, long epoch) {
        AssignedPartition held = assigned.get(partition);
        if (held == null || held.epoch() != epoch)
            return;
        LOG.atError().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.OFFSET, held.next())
                .log("the log has lost records that were read, taking the partition over anew");
        renew(List.of(on(partition)));
    }

    void renewAllBut(Incarnation now) {
        List<TopicPartition> others = assigned.entrySet().stream().filter(entry -> entry.getValue().isOfAnother(now))
                .map(entry -> on(entry.getKey())).toList();
        if (others.isEmpty())
            return;
        LOG.atError().addKeyValue(LogKeys.TARGETS, others)
                .log("a topic of calls was deleted and made anew, taking its partitions over anew");
        renew(others);
    }

    /// Member and generation stay the same, so nothing but this worker itself keeps a transaction of the old assignments
    /// from being committed while the new ones read what there is.
    void beginRenewed() {
        if (renewing.isEmpty() || !silent.isDone() || isFenced())
            return;
        List<TopicPartition> still = consumer.assignment().stream()
                .filter(partition -> renewing.contains(partition.partition())).toList();
        renewing.clear();
        begin(still);
    }

    PartitionCounts counts() {
        int started = 0;
        Map<PartitionListener.Hold, Integer> held = new EnumMap<>(PartitionListener.Hold.class);
        List<PartitionCounts.Reading> readings = new ArrayList<>(assigned.size());
        for (Map.Entry<Integer, AssignedPartition> each : assigned.entrySet()) {
            AssignedPartition partition = each.getValue();
            readings.add(new PartitionCounts.Reading(each.getKey(), partition.epoch(), partition.isAdopted(),
                    partition.holds(), partition.refused()));
            if (partition.isAdopted())
                started++;
            partition.holds().forEach(why -> held.merge(why, 1, Integer::sum));
        }
        return new PartitionCounts(consumer.groupMetadata().generationId() >= 0 && !isFenced(), assigned.size(),
                started, held, readings);
    }

    void begin(Collection<TopicPartition> partitions) {
        consumer.pause(partitions);
        for (TopicPartition partition : partitions) {
            // Any position will do until the take-over has found the right one: without one, the consumer would look the
            // committed offset up inside poll and hold up the other partitions.
            consumer.seek(partition, 0);
            renewing.remove(partition.partition());
            long epoch = ++epochs;
            assigned.put(partition.partition(), new AssignedPartition(epoch));
            takeOvers.begin(partition.partition(), epoch);
        }
        publish();
    }

    /// @param draining whether nothing of it may start: a partition may come to a worker that is about to leave
    void adopt(PollCommand.Adopt taken, boolean draining) {
        AssignedPartition held = assigned.get(taken.partition());
        if (held == null || held.epoch() != taken.epoch())
            return;
        DoneOffsets start = taken.restored().start();
        consumer.seek(on(taken.partition()), start.position());
        // First, since what was approved is offered as soon as it is opened.
        if (draining)
            engine.stopStarting(taken.partition(), taken.epoch());
        engine.opened(taken.partition(), taken.epoch(), taken.restored());
        held.adopted(taken.restored());
        LOG.atInfo().addKeyValue(LogKeys.PARTITION, taken.partition()).addKeyValue(LogKeys.EPOCH, taken.epoch())
                .addKeyValue(LogKeys.OFFSET, start.frontier()).log("partition starts");
    }

    void hold(PollCommand.Hold hold) {
        AssignedPartition held = assigned.get(hold.partition());
        if (held != null && held.epoch() == hold.epoch())
            held.hold(hold.why(), hold.on());
    }

    /// True when something is still refused.
    boolean offerHeld() {
        boolean refused = false;
        for (AssignedPartition partition : assigned.values())
            refused |= !partition.offerHeld(engine);
        return refused;
    }

    /// A poll has failed; see [UnreadablePartitions#after].
    ConsumerRecords<byte[], byte[]> holdUnreadable(KafkaException failure) {
        return unreadable.after(failure, assigned::get);
    }

    /// Fetches from those partitions that have room; from none when draining.
    void pauseAndResume(boolean draining) {
        unreadable.retry(assigned::get);
        assigned.forEach((number, partition) -> {
            boolean pause = draining || !partition.wantsRecords();
            if (pause == partition.isPaused())
                return;
            if (pause) {
                consumer.pause(List.of(on(number)));
            } else {
                consumer.resume(List.of(on(number)));
            }
            partition.paused(pause);
        });
    }

    void takeIn(ConsumerRecords<byte[], byte[]> records, boolean draining) {
        // Also of a partition of which nothing was readable: aborted transactions and markers may end it for hours, and
        // it is read up to there all the same. In the order of their numbers: that of the map differs from process to
        // process, and a simulated run has one course.
        for (int number : List.copyOf(assigned.keySet())) {
            OffsetAndMetadata next = records.nextOffsets().get(on(number));
            if (next != null)
                takeIn(number, records.records(on(number)), next, draining);
        }
    }

    private void takeIn(int number, List<ConsumerRecord<byte[], byte[]>> polled, OffsetAndMetadata next,
            boolean draining) {
        AssignedPartition partition = assigned.get(number);
        // Fetched before a pause took hold, under an assignment that is not adopted: the seek reads it again.
        if (partition == null || !partition.isAdopted() || unreadable.isHeld(number))
            return;
        if (partition.wentBack(polled, next.offset())) {
            renew(number, partition.epoch());
            return;
        }
        List<ConsumerRecord<byte[], byte[]>> records = unreadable.read(number, polled, next.offset());
        if (!records.isEmpty()) {
            ConsumerRecord<byte[], byte[]> first = records.getFirst();
            engine.read(number, partition.epoch(), first.offset(), first.timestamp());
        }
        engine.tracked(number, partition.epoch(), partition.takeIn(records, next), next.offset());
        if (!draining)
            partition.offerHeld(engine);
    }

    void stopStarting() {
        assigned.forEach((partition, held) -> engine.stopStarting(partition, held.epoch()));
    }

    /// The partitions are about to go: forgets what is held of them and lets nothing more start.
    void moving(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            AssignedPartition held = assigned.get(partition.partition());
            if (held == null)
                continue;
            held.forgetHeld();
            engine.stopStarting(partition.partition(), held.epoch());
            engine.moving(partition.partition(), held.epoch());
        }
    }

    /// The partitions go in order.
    void ends(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            AssignedPartition held = assigned.get(partition.partition());
            if (held != null)
                engine.ends(partition.partition(), held.epoch());
        }
    }

    /// Ends assignments.
    ///
    /// @param lost without a word: another worker may own the partitions already
    void giveUp(Collection<TopicPartition> partitions, boolean lost) {
        Map<Integer, AssignedPartition> gone = new HashMap<>();
        for (TopicPartition partition : partitions) {
            renewing.remove(partition.partition());
            AssignedPartition held = assigned.remove(partition.partition());
            if (held != null)
                gone.put(partition.partition(), held);
        }
        publish();
        gone.forEach((partition, held) -> {
            takeOvers.cancel(partition, held.epoch());
            engine.closed(partition, held.epoch(), lost);
            LOG.atInfo().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.EPOCH, held.epoch())
                    .log("partition given up");
        });
    }

    private TopicPartition on(int partition) {
        return new TopicPartition(config.topic(), partition);
    }
}
