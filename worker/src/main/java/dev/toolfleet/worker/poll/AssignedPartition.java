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

/// Poll thread's state of one assigned partition.
///
/// **Threads.** Owned by the poll thread.
final class AssignedPartition {
    private final long epoch;
    /// Calls that were read and that the lanes refused so far. They are offered again before later ones are read.
    private final Deque<Arrival> held = new ArrayDeque<>();
    private @Nullable DoneOffsets start;
    /// No earlier owner finished a call at this offset or beyond.
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

    /// True if the client went back by itself: the log has lost records that were read, and has others in their place.
    boolean wentBack(List<ConsumerRecord<byte[], byte[]>> records, long after) {
        return (records.isEmpty() ? after : records.getFirst().offset()) < next;
    }

    /// Offset of the next record to read.
    long next() {
        return next;
    }

    /// Holds the calls among `records`. Returns the offsets of those that an earlier owner has not finished.
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

    /// Offers the held calls in order. Returns false if the listener refused one.
    boolean offerHeld(PollListener listener) {
        while (!held.isEmpty() && listener.offer(held.peek()))
            held.remove();
        return held.isEmpty();
    }

    /// Number of calls that were read and refused so far.
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

    /// True if it was taken over from another log than `now`.
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

    /// True if the consumer should fetch from this partition.
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
