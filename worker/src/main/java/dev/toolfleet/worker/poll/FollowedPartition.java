package dev.toolfleet.worker.poll;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.commit.DoneOffsets;

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
    private final Deque<Granted> held = new ArrayDeque<>();
    private final AtomicInteger onTheirWay = new AtomicInteger();
    private boolean paused;

    /// @param bytes what its record weighs
    private record Granted(Position at, ResumedCall call, int bytes) {}

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

    void granted(Position at, ResumedCall call, int bytes) {
        held.add(new Granted(at, call, bytes));
    }

    /// Offers what is held, in order, until something is refused.
    void offerHeld(ResumedLoop.Ends ends) {
        for (Granted next = held.peek(); next != null && offer(next, ends); next = held.peek())
            held.remove();
    }

    private boolean offer(Granted call, ResumedLoop.Ends ends) {
        if (onTheirWay.get() >= MAX_GRANTED)
            return false;
        onTheirWay.incrementAndGet();
        if (ends.offer(call.at(), call.call(), call.bytes(), onTheirWay::decrementAndGet))
            return true;
        onTheirWay.decrementAndGet();
        return false;
    }

    /// Whether nothing more should be read: something is held already.
    boolean holds() {
        return !held.isEmpty();
    }

    /// Whether the consumer has to be told to read on, or to stop.
    boolean pauseChanged() {
        boolean changed = paused != holds();
        paused = holds();
        return changed;
    }
}
