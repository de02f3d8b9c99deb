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

/// Partitions that the group has assigned to this worker: begins, feeds and ends each assignment, and publishes the
/// ownership snapshot.
///
/// **Threads.** Owned by the poll thread.
final class Assignments {
    private static final Logger LOG = LoggerFactory.getLogger(Assignments.class);

    private final PollConfig config;
    private final Consumer<byte[], byte[]> consumer;
    private final Ownership ownership;
    private final PollListener listener;
    private final TakeOvers takeOvers;
    private final Map<Integer, AssignedPartition> assigned = new HashMap<>();
    private final UnreadablePartitions unreadable;
    /// Partitions to take over anew once [#silent] is done.
    private final Set<Integer> renewing = new HashSet<>();
    /// Done when no more results of the assignments that a fencing or a renewal ended are published.
    private CompletableFuture<Void> silent = CompletableFuture.completedFuture(null);
    private long epochs;

    Assignments(PollConfig config, Consumer<byte[], byte[]> consumer, Ownership ownership, PollListener listener,
            TakeOvers takeOvers) {
        this.config = config;
        this.unreadable = new UnreadablePartitions(config.topic(), consumer, config.reread(), System::nanoTime);
        this.consumer = consumer;
        this.ownership = ownership;
        this.listener = listener;
        this.takeOvers = takeOvers;
    }

    void publish() {
        ownership.publish(new Ownership.Snapshot(consumer.groupMetadata(), assigned.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().epoch()))));
    }

    boolean isFenced() {
        return ownership.isFenced();
    }

    /// Gives up all assignments if the lease has run out, since the group may have expelled this worker. Takes the
    /// partitions that are still assigned over anew when the group answers again. Outcomes that came in between were
    /// dropped.
    void fenceSelf() {
        if (!isFenced())
            return;
        if (!assigned.isEmpty()) {
            LOG.atWarn().addKeyValue(LogKeys.MILLIS, ownership.lease().age().toMillis())
                    .addKeyValue(LogKeys.COUNT, assigned.size())
                    .log("partitions given up: the group has not heard of this worker for its session timeout");
            giveUp(assigned.keySet().stream().map(this::on).toList(), true);
            silent = listener.silent();
        }
        // The coordinator may have answered that it has expelled this member: the consumer then knows no generation.
        Set<TopicPartition> still = consumer.assignment();
        // Member and generation may be the same as before, so the broker accepts transactions of the old assignments.
        // Otherwise: such a transaction commits while the take-over of the new assignment reads.
        if (silent.isDone() && (still.isEmpty() || consumer.groupMetadata().generationId() >= 0) && ownership.open())
            begin(still);
    }

    /// Ends assignments that were taken over from another log than the present one, so that they are taken over anew.
    /// Finished results are published first: callers wait for them, and the next take-over judges the offsets by log
    /// and leader epoch. Calls that must not run twice run on and are handed over, as when a partition moves.
    private void renew(Collection<TopicPartition> partitions) {
        consumer.pause(partitions);
        moving(partitions);
        RevokeWait.until(listener.committed(), config.revokeTimeout());
        giveUp(partitions, false);
        partitions.forEach(partition -> renewing.add(partition.partition()));
        silent = listener.silent();
    }

    void renew(int partition, long epoch) {
        AssignedPartition held = assigned.get(partition);
        if (held == null || held.epoch() != epoch)
            return;
        LOG.atError().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.OFFSET, held.next())
                .log("partition taken over anew: its log has lost records that were read");
        renew(List.of(on(partition)));
    }

    void renewAllBut(Incarnation now) {
        List<TopicPartition> others = assigned.entrySet().stream().filter(entry -> entry.getValue().isOfAnother(now))
                .map(entry -> on(entry.getKey())).toList();
        if (others.isEmpty())
            return;
        LOG.atError().addKeyValue(LogKeys.TARGETS, others)
                .log("partitions taken over anew: a topic of calls was deleted and made anew");
        renew(others);
    }

    /// Waits for `silent`. Member and generation stay the same, so the broker accepts transactions of the old
    /// assignments. Otherwise: such a transaction commits while the take-over of the new assignment reads.
    void beginRenewed() {
        if (renewing.isEmpty() || !silent.isDone() || isFenced())
            return;
        List<TopicPartition> still = consumer.assignment().stream()
                .filter(partition -> renewing.contains(partition.partition())).toList();
        renewing.clear();
        begin(still);
    }

    OwnershipCounts counts() {
        int started = 0;
        Map<PartitionListener.Hold, Integer> held = new EnumMap<>(PartitionListener.Hold.class);
        List<OwnershipCounts.Reading> readings = new ArrayList<>(assigned.size());
        for (Map.Entry<Integer, AssignedPartition> each : assigned.entrySet()) {
            AssignedPartition partition = each.getValue();
            readings.add(new OwnershipCounts.Reading(each.getKey(), partition.epoch(), partition.isAdopted(),
                    partition.holds(), partition.refused()));
            if (partition.isAdopted())
                started++;
            partition.holds().forEach(why -> held.merge(why, 1, Integer::sum));
        }
        return new OwnershipCounts(consumer.groupMetadata().generationId() >= 0 && !isFenced(), assigned.size(),
                started, held, readings);
    }

    void begin(Collection<TopicPartition> partitions) {
        consumer.pause(partitions);
        for (TopicPartition partition : partitions) {
            // Any position will do until the take-over has found the right one. Otherwise: the consumer looks the
            // committed offset up inside poll and holds up the other partitions.
            consumer.seek(partition, 0);
            renewing.remove(partition.partition());
            long epoch = ++epochs;
            assigned.put(partition.partition(), new AssignedPartition(epoch));
            takeOvers.begin(partition.partition(), epoch);
        }
        publish();
    }

    /// Starts a partition that was taken over.
    ///
    /// @param draining whether no call of it may start: the group may assign a partition to a worker that is about to
    /// leave
    void adopt(PollCommand.Adopt taken, boolean draining) {
        AssignedPartition held = assigned.get(taken.partition());
        if (held == null || held.epoch() != taken.epoch())
            return;
        DoneOffsets start = taken.restored().start();
        consumer.seek(on(taken.partition()), start.position());
        // Before `opened`, which offers approved calls at once.
        if (draining)
            listener.stopStarting(taken.partition(), taken.epoch());
        listener.opened(taken.partition(), taken.epoch(), taken.restored());
        held.adopted(taken.restored());
        LOG.atInfo().addKeyValue(LogKeys.PARTITION, taken.partition()).addKeyValue(LogKeys.EPOCH, taken.epoch())
                .addKeyValue(LogKeys.OFFSET, start.frontier()).log("partition starts");
    }

    void hold(PollCommand.Hold hold) {
        AssignedPartition held = assigned.get(hold.partition());
        if (held != null && held.epoch() == hold.epoch())
            held.hold(hold.why(), hold.on());
    }

    /// Offers the held calls of all partitions. Returns true if the listener refused one.
    boolean offerHeld() {
        boolean refused = false;
        for (AssignedPartition partition : assigned.values())
            refused |= !partition.offerHeld(listener);
        return refused;
    }

    /// Handles a failed poll; see [UnreadablePartitions#after].
    ConsumerRecords<byte[], byte[]> holdUnreadable(KafkaException failure) {
        return unreadable.after(failure, assigned::get);
    }

    /// Fetches from the partitions that have room; from none when draining.
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
        // Includes partitions without a readable record: aborted transactions and markers may be the newest records for
        // hours, and the position still moves past them. Goes by partition number, because the order of the map differs
        // from process to process and a simulated run must have one course.
        for (int number : List.copyOf(assigned.keySet())) {
            OffsetAndMetadata next = records.nextOffsets().get(on(number));
            if (next != null)
                takeIn(number, records.records(on(number)), next, draining);
        }
    }

    private void takeIn(int number, List<ConsumerRecord<byte[], byte[]>> polled, OffsetAndMetadata next,
            boolean draining) {
        AssignedPartition partition = assigned.get(number);
        // The records were fetched before a pause took effect, under an assignment that is not adopted: the seek reads
        // them again.
        if (partition == null || !partition.isAdopted() || unreadable.isHeld(number))
            return;
        if (partition.wentBack(polled, next.offset())) {
            renew(number, partition.epoch());
            return;
        }
        List<ConsumerRecord<byte[], byte[]>> records = unreadable.read(number, polled, next.offset());
        if (!records.isEmpty()) {
            ConsumerRecord<byte[], byte[]> first = records.getFirst();
            listener.read(number, partition.epoch(), first.offset(), first.timestamp());
        }
        listener.tracked(number, partition.epoch(), partition.takeIn(records, next), next.offset());
        if (!draining)
            partition.offerHeld(listener);
    }

    void stopStarting() {
        assigned.forEach((partition, held) -> listener.stopStarting(partition, held.epoch()));
    }

    /// Prepares partitions to leave: forgets their held calls and lets no more calls of them start.
    void moving(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            AssignedPartition held = assigned.get(partition.partition());
            if (held == null)
                continue;
            held.forgetHeld();
            listener.stopStarting(partition.partition(), held.epoch());
            listener.moving(partition.partition(), held.epoch());
        }
    }

    /// Announces that the assignments end in order.
    void ends(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            AssignedPartition held = assigned.get(partition.partition());
            if (held != null)
                listener.ends(partition.partition(), held.epoch());
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
            listener.closed(partition, held.epoch(), lost);
            LOG.atInfo().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.EPOCH, held.epoch())
                    .log("partition given up");
        });
    }

    private TopicPartition on(int partition) {
        return new TopicPartition(config.topic(), partition);
    }
}
