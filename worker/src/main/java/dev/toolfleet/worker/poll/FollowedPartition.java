package dev.toolfleet.worker.poll;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.DoneOffsets;
import dev.toolfleet.worker.identity.Arrival;

/// One assignment as the resumed loop sees it, and the approved calls of it that no lane has taken yet. Owned by the
/// loop's thread; what is on its way is counted down by any.
///
/// How many approved calls are on their way is bounded because each may leave a gap in the offsets that a commit's
/// metadata has to hold ([DoneOffsets]); what runs at a time is up to the lanes.
final class FollowedPartition {
    /// How many approved calls are queued or running at a time.
    static final int MAX_GRANTED = 200;

    private final long epoch;
    private final DoneOffsets start;
    private final Deque<Arrival.Granted> held = new ArrayDeque<>();
    /// How many of the first of them an earlier owner began.
    private int begun;
    private boolean settled;
    private final AtomicInteger onTheirWay = new AtomicInteger();
    private boolean paused;

    FollowedPartition(long epoch, DoneOffsets start) {
        this.epoch = epoch;
        this.start = start;
    }

    long epoch() {
        return epoch;
    }

    DoneOffsets start() {
        return start;
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

    /// Whether something is to be offered again.
    boolean holds() {
        return !held.isEmpty();
    }

    /// Whether nothing more should be read: something is held already. Until it is settled it is read on all the same:
    /// what is held may wait for calls, and those for what was not read yet.
    boolean isFull() {
        return holds() && settled;
    }

    /// Whether [#isFull] differs from the last time this was asked.
    boolean fullnessChanged() {
        boolean changed = paused != isFull();
        paused = isFull();
        return changed;
    }
}
