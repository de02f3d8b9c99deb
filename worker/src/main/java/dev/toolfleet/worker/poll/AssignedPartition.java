package dev.toolfleet.worker.poll;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.Incarnation;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.commit.PartitionListener;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.ArrivalDecoder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/// One assigned partition as the poll thread sees it. Owned by that thread.
final class AssignedPartition {
    private final long epoch;
    /// Read but refused so far: offered again before anything is read after them.
    private final Deque<Arrival> held = new ArrayDeque<>();
    private @Nullable DoneOffsets start;
    /// Beyond this nothing was done before.
    private long reach;
    private long next;
    private @Nullable Incarnation log;
    private final Set<PartitionListener.Hold> holds = EnumSet.noneOf(PartitionListener.Hold.class);
    private boolean paused = true;

    AssignedPartition(long epoch) {
        this.epoch = epoch;
    }

    long epoch() {
        return epoch;
    }

    /// Whether the client went back by itself: the log has lost records that were read, and has others in their place.
    boolean wentBack(List<ConsumerRecord<byte[], byte[]>> records, long after) {
        return (records.isEmpty() ? after : records.getFirst().offset()) < next;
    }

    /// Where it is read next.
    long next() {
        return next;
    }

    /// Holds the calls among `records`; returns the offsets of those that an earlier owner has not finished.
    ///
    /// @param after the position behind them
    Offsets takeIn(List<ConsumerRecord<byte[], byte[]>> records, OffsetAndMetadata after) {
        Offsets offsets = new Offsets();
        next = after.offset();
        if (!records.isEmpty()) {
            offsets.read(records.getFirst().offset(), records.getFirst().timestamp(), records.getLast().timestamp(),
                    after.leaderEpoch().orElse(DoneOffsets.NO_EPOCH));
        }
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (wasDone(record.offset()))
                continue;
            offsets.add(record.offset());
            held.add(ArrivalDecoder.decode(record, epoch));
        }
        return offsets;
    }

    /// Offers what is held, in order; false when something is refused.
    boolean offerHeld(PollLoop.Engine engine) {
        while (!held.isEmpty() && engine.offer(held.peek()))
            held.remove();
        return held.isEmpty();
    }

    /// Calls that were read and refused so far.
    int refused() {
        return held.size();
    }

    void forgetHeld() {
        held.clear();
    }

    void adopted(TakeOver.Restored from) {
        start = from.start();
        reach = from.start().reach();
        next = from.start().frontier();
        log = from.log();
    }

    /// Whether it was taken over from other logs than these.
    boolean isOfAnother(Incarnation now) {
        Incarnation mine = log;
        return mine != null && !mine.equals(now);
    }

    boolean isAdopted() {
        return start != null;
    }

    private boolean wasDone(long offset) {
        return start != null && offset < reach && start.isDone(offset);
    }

    void hold(PartitionListener.Hold why, boolean on) {
        if (on) {
            holds.add(why);
        } else {
            holds.remove(why);
        }
    }

    Set<PartitionListener.Hold> holds() {
        return holds;
    }

    /// Whether the consumer should fetch from this partition.
    boolean wantsRecords() {
        return isAdopted() && held.isEmpty() && holds.isEmpty();
    }

    boolean isPaused() {
        return paused;
    }

    void paused(boolean now) {
        paused = now;
    }
}
