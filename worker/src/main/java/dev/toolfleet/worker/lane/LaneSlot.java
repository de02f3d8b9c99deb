package dev.toolfleet.worker.lane;

import java.util.concurrent.atomic.AtomicBoolean;

import dev.toolfleet.worker.identity.Arrival;

/// A call's place in its lane. Whoever ends the call releases it, once: its own thread, or the watcher that gave up on
/// a handler which ignores its interrupt.
public final class LaneSlot {
    private final Lanes lanes;
    private final Arrival arrival;
    private final boolean readOnly;
    private final long order;
    private final AtomicBoolean released = new AtomicBoolean();

    LaneSlot(Lanes lanes, Arrival arrival, boolean readOnly, long order) {
        this.order = order;
        this.lanes = lanes;
        this.arrival = arrival;
        this.readOnly = readOnly;
    }

    /// The call.
    public Arrival arrival() {
        return arrival;
    }

    /// Grows along the lane: the call's offset, or, for one that was approved, that of the newest call before it.
    public long order() {
        return order;
    }

    boolean readOnly() {
        return readOnly;
    }

    /// Lets the next call of the lane start. Only the first release counts.
    public void release() {
        if (released.compareAndSet(false, true))
            lanes.ended(this);
    }
}
