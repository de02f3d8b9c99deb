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

/// One assignment as the resumed loop sees it, with its outcomes that have no room yet and its approved calls that no lane
/// has taken yet. Owned by the loop's thread; what is on its way is counted down by any.
///
/// How many approved calls are on their way is bounded because each may leave a gap in the offsets that a commit's
/// metadata has to hold ([DoneOffsets]); what runs at a time is up to the lanes.
final class FollowedPartition {
    private static final Logger LOG = LoggerFactory.getLogger(FollowedPartition.class);
    private static final WireCodec<ResumedCall> CODEC = WireCodec.of(ResumedCall.class);
    /// How many approved calls are queued or running at a time.
    static final int MAX_GRANTED = 200;

    private final long epoch;
    private final DoneOffsets start;
    private final Deque<Outcome> outcomes = new ArrayDeque<>();
    private final Deque<Arrival.Granted> held = new ArrayDeque<>();
    /// How many of the first of them an earlier owner began.
    private int begun;
    private boolean settled;
    private final AtomicInteger onTheirWay = new AtomicInteger();
    private boolean paused;
    /// Its results cannot be written now.
    private boolean quarantined;

    /// An outcome that was read.
    ///
    /// @param bytes what its record weighs
    record Outcome(Position at, ResumedCall call, long bytes) {}

    FollowedPartition(long epoch, DoneOffsets start) {
        this.epoch = epoch;
        this.start = start;
    }

    long epoch() {
        return epoch;
    }

    /// Nothing more of it begins while its results cannot be written.
    void quarantine(boolean on) {
        quarantined = on;
    }

    /// Queues the outcomes and approvals among what was read.
    ///
    /// @param next the position after that
    void takeIn(int partition, List<ConsumerRecord<byte[], byte[]>> records, long next, ResumedLoop.Ends ends) {
        Offsets offsets = new Offsets();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (start.isDone(record.offset()) || record.value() == null)
                continue;
            try {
                ResumedCall call = CODEC.read(record.value());
                // What an earlier owner handed over is read by those who wait for it.
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
                        .addKeyValue(LogKeys.REASON, Unquoted.name(e)).log("resumed call not understood, passed over");
            }
        }
        ends.tracked(partition, epoch, offsets, next);
    }

    /// The next outcome that may be published, which leaves the queue; null when none may.
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

    /// An approved call was read. One that an earlier owner began goes before the others.
    ///
    /// @param bytes what its record weighs
    void granted(Position at, ResumedCall call, int bytes, ResumedLoop.Ends ends) {
        Arrival.Granted granted = Arrival.Granted.of(at, call, bytes, onTheirWay::decrementAndGet);
        if (ends.began(granted)) {
            held.addFirst(granted);
            begun++;
        } else {
            held.add(granted);
        }
    }

    /// Offers what is held, in order, until something is refused.
    void offerHeld(ResumedLoop.Ends ends) {
        if (quarantined)
            return;
        for (Arrival.Granted next = held.peek(); next != null && offer(next, ends); next = held.peek()) {
            held.remove();
            begun = Math.max(0, begun - 1);
        }
    }

    private boolean offer(Arrival.Granted granted, ResumedLoop.Ends ends) {
        if (onTheirWay.get() >= MAX_GRANTED)
            return false;
        onTheirWay.incrementAndGet();
        if (ends.offer(granted))
            return true;
        onTheirWay.decrementAndGet();
        return false;
    }

    /// Tells how far was read until nobody waits for that any more.
    void settle(int partition, LongSupplier position, ResumedLoop.Ends ends) {
        if (!settled && begun == 0)
            settled = ends.settled(partition, epoch, position.getAsLong());
    }

    boolean isSettled() {
        return settled;
    }

    /// Whether something is to be offered or published again soon.
    boolean holds() {
        return !quarantined && !(held.isEmpty() && outcomes.isEmpty());
    }

    /// Whether nothing more should be read: something waits already. Until it is settled it is read on though approved
    /// calls are held: these may wait for calls, and those for what was not read yet.
    boolean isFull() {
        return quarantined || !outcomes.isEmpty() || (!held.isEmpty() && settled);
    }

    /// Whether [#isFull] differs from the last time this was asked.
    boolean fullnessChanged() {
        boolean changed = paused != isFull();
        paused = isFull();
        return changed;
    }
}
