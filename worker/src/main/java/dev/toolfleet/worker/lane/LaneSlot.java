package dev.toolfleet.worker.lane;

import java.util.concurrent.atomic.AtomicBoolean;

import dev.toolfleet.worker.identity.Arrival;
import org.jspecify.annotations.Nullable;

/// Place of a call in its lane. The thread that ends the call releases it, once: the call's own thread, or the deadline
/// thread for an abandoned handler.
public final class LaneSlot {
    private final Owner owner;
    private final Arrival arrival;
    private final boolean readOnly;
    private final long order;
    private final AtomicBoolean released = new AtomicBoolean();
    private final AtomicBoolean passed = new AtomicBoolean();
    private volatile @Nullable Occupant occupant;

    LaneSlot(Owner owner, Arrival arrival, boolean readOnly, long order) {
        this.order = order;
        this.owner = owner;
        this.arrival = arrival;
        this.readOnly = readOnly;
    }

    /// Returns the call.
    public Arrival arrival() {
        return arrival;
    }

    /// Returns a number that grows along the lane: the call's offset, or, for an approved call, the offset of the
    /// newest call before it.
    public long order() {
        return order;
    }

    /// Lanes that the slot belongs to.
    interface Owner {
        /// The slot was released.
        void ended(LaneSlot slot);

        /// The slot holds its lane no longer, and is released later.
        void passed(LaneSlot slot);
    }

    /// Call that runs in a slot, as reports and operators see it.
    public interface Occupant {
        /// Returns its present activity. Does not wait.
        Activity doing();

        /// An operator has ordered its end; the order can be found by now. Must not wait.
        void failed();
    }

    /// Activity of a call.
    ///
    /// @param stage one word
    /// @param since the time at which that began, in epoch milliseconds
    /// @param attempt the number of its handler's start, present or next
    public record Activity(String stage, long since, int attempt) {}

    /// Names the call that runs in it, once, before that call does anything.
    public void occupiedBy(Occupant call) {
        occupant = call;
    }

    /// Returns the call that runs in it; null before it does anything.
    public @Nullable Occupant occupant() {
        return occupant;
    }

    /// True if its lane goes on without waiting for it.
    public boolean isPassed() {
        return passed.get();
    }

    boolean readOnly() {
        return readOnly;
    }

    /// Lets the next call of the lane start. Only the first release counts.
    public void release() {
        if (released.compareAndSet(false, true))
            owner.ended(this);
    }

    /// Lets the next call of the lane start although this one runs on. This one counts as in flight until it is
    /// released.
    ///
    /// @return whether this is the first time
    public boolean pass() {
        boolean first = passed.compareAndSet(false, true);
        if (first)
            owner.passed(this);
        return first;
    }
}
