package dev.toolfleet.worker.limit;

import java.util.concurrent.locks.Condition;

import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;

/// One start of a handler on its way through its tool's gate. It waits, then runs, then is over; or it is refused, or
/// given up. The gate's lock guards it.
final class Ticket implements Permit, LimitGate.Turn {
    /// Gate that a ticket stands at.
    interface Gate {
        /// Blocks until the ticket runs or is refused.
        LimitGate.Entry.Decided await(Ticket ticket) throws InterruptedException;

        /// Counts the end of the ticket's handler; the ticket keeps its slot.
        void ended(Ticket ticket, BreakerSignal ending);

        /// Removes the ticket, whatever its stage.
        void close(Ticket ticket);

        /// True if calls keep their slots while they wait for their handles.
        boolean holdsWhilePending();
    }

    private enum Stage {
        WAITING, RUNNING, REFUSED, OVER
    }

    private final Gate gate;
    private final LimitGate.Asking asking;
    private final long until;
    private final Condition news;
    private Stage stage = Stage.WAITING;
    private @Nullable ToolError refusal;
    private @Nullable Breaker breaker;
    private long generation;

    /// @param until the time at which it is given up, by the gate's nanoseconds
    Ticket(Gate gate, LimitGate.Asking asking, long until, Condition news) {
        this.gate = gate;
        this.asking = asking;
        this.until = until;
        this.news = news;
    }

    LimitGate.Asking asking() {
        return asking;
    }

    long until() {
        return until;
    }

    boolean waits() {
        return stage == Stage.WAITING;
    }

    Condition news() {
        return news;
    }

    /// Gives it a slot.
    ///
    /// @param by the breaker that counts its end; null for none
    void start(@Nullable Breaker by) {
        stage = Stage.RUNNING;
        breaker = by;
        generation = by == null ? 0 : by.generation();
        news.signal();
    }

    void refuse(ToolError why) {
        stage = Stage.REFUSED;
        refusal = why;
        news.signal();
    }

    /// Ends it, whatever its stage.
    void end() {
        count(BreakerSignal.UNCOUNTED);
        stage = Stage.OVER;
    }

    void count(BreakerSignal ending) {
        Breaker asked = breaker;
        breaker = null;
        if (asked != null)
            asked.ended(generation, ending);
    }

    LimitGate.Entry entry() {
        return waits() ? new LimitGate.Entry.Queued(this) : decided();
    }

    LimitGate.Entry.Decided decided() {
        ToolError why = refusal;
        return why == null ? new LimitGate.Entry.Admitted(this) : new LimitGate.Entry.Refused(why);
    }

    @Override
    public LimitGate.Entry.Decided await() throws InterruptedException {
        return gate.await(this);
    }

    @Override
    public void giveUp() {
        gate.close(this);
    }

    @Override
    public void ended(BreakerSignal ending) {
        gate.ended(this, ending);
    }

    @Override
    public boolean heldWhilePending() {
        return gate.holdsWhilePending();
    }

    @Override
    public void close() {
        gate.close(this);
    }
}
