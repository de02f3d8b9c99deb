package dev.toolfleet.worker.lane;

import java.util.concurrent.atomic.AtomicBoolean;

import dev.toolfleet.worker.identity.Arrival;
import org.jspecify.annotations.Nullable;

/// A call's place in its lane. Whoever ends the call releases it, once: its own thread, or the watcher that gave up on
/// a handler which ignores its interrupt.
public final class LaneSlot {
    private final Lanes lanes;
    private final Arrival arrival;
    private final boolean readOnly;
    private final long order;
    private final AtomicBoolean released = new AtomicBoolean();
    private final AtomicBoolean passed = new AtomicBoolean();
    private volatile @Nullable Occupant occupant;

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

    /// The call that runs in it, for those who ask what it does and for operators.
    public interface Occupant {
        /// What it does. Does not wait.
        Doing doing();

        /// An operator has ordered its end, which can be found by now. Must not wait.
        void failed();
    }

    /// What a call does.
    ///
    /// @param stage one word
    /// @param since when that began, in epoch milliseconds
    /// @param attempt which start of its handler it is, or will be
    public record Doing(String stage, long since, int attempt) {}

    /// Says what runs in it, once, before it does anything.
    public void occupiedBy(Occupant call) {
        occupant = call;
    }

    /// What runs in it; null before it does anything.
    public @Nullable Occupant occupant() {
        return occupant;
    }

    /// Whether its lane goes on without waiting for it.
    public boolean isPassed() {
        return passed.get();
    }

    boolean readOnly() {
        return readOnly;
    }

    /// Lets the next call of the lane start. Only the first release counts.
    public void release() {
        if (released.compareAndSet(false, true))
            lanes.ended(this);
    }

    /// Lets the next call of the lane start although this one runs on, which counts as in flight until it is released.
    ///
    /// @return whether this is the first time
    public boolean pass() {
        boolean first = passed.compareAndSet(false, true);
        if (first)
            lanes.passed(this);
        return first;
    }
}
