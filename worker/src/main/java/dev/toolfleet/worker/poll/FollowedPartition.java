package dev.toolfleet.worker.poll;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import dev.toolfleet.error.Unquoted;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import dev.toolfleet.worker.assignment.Load;
import dev.toolfleet.worker.assignment.PartitionLoads;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.commit.Offsets;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Resumed loop's state of one assignment: its outcomes that have no room yet, and its approved calls that no lane has
/// taken yet.
///
/// **Threads.** Owned by the loop's thread. Any thread may decrement the count of approved calls in flight.
///
/// **Why.** The number of approved calls in flight is bounded, because each may leave a gap in the offsets that a
/// commit's metadata has to hold ([DoneOffsets]). The lanes decide how many of them run at a time.
final class FollowedPartition {
    private static final Logger LOG = LoggerFactory.getLogger(FollowedPartition.class);
    private static final WireCodec<ResumedCall> CODEC = WireCodec.of(ResumedCall.class);
    /// Most approved calls that are queued or running at a time.
    static final int MAX_GRANTED = 200;

    private final long epoch;
    private final DoneOffsets start;
    private final Deque<Outcome> outcomes = new ArrayDeque<>();
    private final Deque<Arrival.Granted> held = new ArrayDeque<>();
    /// Number of calls at the head of `held` that an earlier owner began.
    private int begun;
    private boolean settled;
    private final AtomicInteger onTheirWay = new AtomicInteger();
    private boolean paused;
    /// True while its results cannot be written.
    private boolean quarantined;

    /// Outcome that was read.
    ///
    /// @param bytes size of its record
    record Outcome(Position at, ResumedCall call, long bytes) {}

    FollowedPartition(long epoch, DoneOffsets start) {
        this.epoch = epoch;
        this.start = start;
    }

    long epoch() {
        return epoch;
    }

    /// Quarantines the partition or ends that: no outcome or approved call begins while its results cannot be written.
    void quarantine(boolean on) {
        quarantined = on;
    }

    /// Queues the outcomes and approvals among the records.
    ///
    /// @param next the position after that
    void takeIn(int partition, List<ConsumerRecord<byte[], byte[]>> records, long next, ResumedListener ends) {
        Offsets offsets = new Offsets();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (start.isDone(record.offset()) || record.value() == null)
                continue;
            try {
                ResumedCall call = CODEC.read(record.value());
                // The stage that waits for a hand-over of an earlier owner reads it itself.
                if (call.handOver() != null)
                    continue;
                Position at = Position.resumed(partition, epoch, record.offset());
                offsets.add(record.offset());
                if (call.grant() == null) {
                    outcomes.add(new Outcome(at, call, Math.max(0, record.serializedValueSize())));
                } else {
                    granted(at, call, Math.max(0, record.serializedValueSize()), ends);
                }
            } catch (WireFormatException e) {
                LOG.atError().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.OFFSET, record.offset())
                        .addKeyValue(LogKeys.REASON, Unquoted.name(e))
                        .log("resumed call skipped: record not understood");
            }
        }
        ends.tracked(partition, epoch, offsets, next);
    }

    /// Returns the next outcome that may be published and removes it from the queue; null if none may be.
    ///
    /// @param onTheirWay outcomes of all partitions that are not committed, without those of quarantined partitions
    /// @param most how many of one partition may be
    @Nullable
    Outcome next(int partition, PartitionLoads onTheirWay, int most) {
        Load own = onTheirWay.of(partition, epoch);
        boolean room = own.calls() == 0
                || (own.calls() < most && onTheirWay.all().bytes() < ResumedLoop.MAX_BYTES_IN_FLIGHT);
        return room && !quarantined ? outcomes.poll() : null;
    }

    /// Queues an approved call. A call that an earlier owner began goes before the others.
    ///
    /// @param bytes size of its record
    void granted(Position at, ResumedCall call, int bytes, ResumedListener ends) {
        Arrival.Granted granted = Arrival.Granted.of(at, call, bytes, onTheirWay::decrementAndGet);
        if (ends.began(granted)) {
            held.addFirst(granted);
            begun++;
        } else {
            held.add(granted);
        }
    }

    /// Offers the held calls in order until the lanes refuse one.
    void offerHeld(ResumedListener ends) {
        if (quarantined)
            return;
        for (Arrival.Granted next = held.peek(); next != null && offer(next, ends); next = held.peek()) {
            held.remove();
            begun = Math.max(0, begun - 1);
        }
    }

    private boolean offer(Arrival.Granted granted, ResumedListener ends) {
        if (onTheirWay.get() >= MAX_GRANTED)
            return false;
        onTheirWay.incrementAndGet();
        if (ends.offer(granted))
            return true;
        onTheirWay.decrementAndGet();
        return false;
    }

    /// Reports the position until [ResumedListener#settled] returns true.
    void settle(int partition, LongSupplier position, ResumedListener ends) {
        if (!settled && begun == 0)
            settled = ends.settled(partition, epoch, position.getAsLong());
    }

    boolean isSettled() {
        return settled;
    }

    /// True if there is an outcome or call to offer again soon.
    boolean holds() {
        return !quarantined && !(held.isEmpty() && outcomes.isEmpty());
    }

    /// True if the loop should not read on, because records wait already. Before the partition is settled, held
    /// approved calls do not stop the reading. Otherwise: a held call waits for another call, and that call waits for a
    /// record that is not read yet.
    boolean isFull() {
        return quarantined || !outcomes.isEmpty() || (!held.isEmpty() && settled);
    }

    /// True if [#isFull] differs from the previous call of this method.
    boolean fullnessChanged() {
        boolean changed = paused != isFull();
        paused = isFull();
        return changed;
    }
}
