package dev.toolfleet.worker.override;

import java.time.Duration;
import java.util.function.Consumer;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.worker.call.CallCourse;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.execute.CancelReplies;
import dev.toolfleet.worker.execute.DeadlineLoop;
import dev.toolfleet.worker.execute.EndOrder;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.LaneOrders;
import dev.toolfleet.worker.lane.LaneSlot;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries out what operators order for calls that hold their lane (decision 42).
///
/// An order comes in two steps: (a) it can be found, (b) the lanes are asked for its call. A call begins in two: (1) it
/// stands in its slot, (2) the orders are asked. When a comes before 2, 2 finds it; otherwise 1 was before b, and b finds
/// the call. Both may, which is the same as once.
///
/// @param cancelling reports and counts the ends of calls
/// @param grace how long a call has to end by itself
/// @param audit hears of each order once, as it is carried out
record LaneOrderExecutor(LaneOrders orders, CancelReplies cancelling, DeadlineLoop deadlines, Duration grace,
        Audit audit)
        implements
            LaneOverride {
    private static final Logger LOG = LoggerFactory.getLogger(LaneOrderExecutor.class);

    @Override
    public void begins(Identified run, LaneSlot slot, End end) {
        slot.occupiedBy(new LaneSlot.Occupant() {
            @Override
            public LaneSlot.Activity doing() {
                return new LaneSlot.Activity(run.course().stage().text(), run.course().since(), run.now().attempt());
            }

            @Override
            public void failed() {
                ordered(run, end);
            }
        });
        LaneOrder order = orders.of(slot.arrival().instanceKey(), run.call().arrival().position());
        if (order != null && order.order() == LaneOrder.Order.SKIP)
            skip(slot, order);
        ordered(run, end);
    }

    private void ordered(Identified run, End end) {
        LaneOrder order = orders.fails(run.call().arrival().instanceKey(), run.call().arrival().position());
        if (order == null || !run.course().fail(EndOrder.of(order)))
            return;
        audit.carriedOut(order, run.call().arrival());
        later(run, end);
    }

    /// Tries again while the call is held: it ends by itself, or comes between layers again, where it may hang.
    private void later(Identified run, End end) {
        var _ = deadlines.after(grace, () -> {
            if (end.isDecided())
                return;
            CallCourse.GivenUp given = run.course().giveUp();
            if (given == null) {
                later(run, end);
                return;
            }
            LOG.atWarn().addKeyValue(LogKeys.CALL_ID, run.call().arrival().call().id())
                    .addKeyValue(LogKeys.REASON, run.course().stage().text())
                    .log("call is ended by an operator's order, its lane goes on without it");
            end.with(reply(run, given));
            run.course().interrupt();
        });
    }

    private ToolReply reply(Identified begun, CallCourse.GivenUp given) {
        CallFacts run = begun.now();
        EndOrder why = run.course().failed();
        if (why == null)
            throw new IllegalStateException("given up without an order");
        RegisteredTool tool = run.tool();
        boolean repeatable = tool != null && tool.export().annotations().repeatable();
        // What may not run twice has an intent before it starts.
        if (!given.started() || (!repeatable && !run.isAnnounced()))
            return cancelling.unstarted(why);
        cancelling.interrupted();
        return CancelReplies.interrupted(why, repeatable);
    }

    /// Hears of orders, after they can be found.
    ///
    /// @param slots finds the slots of a call
    public Consumer<LaneOrder> listener(Slots slots) {
        return order -> slots.of(order).forEach(slot -> {
            switch (order.order()) {
                case SKIP -> skip(slot, order);
                case FAIL -> {
                    LaneSlot.@Nullable Occupant occupant = slot.occupant();
                    if (occupant != null)
                        occupant.failed();
                }
            }
        });
    }

    private void skip(LaneSlot slot, LaneOrder order) {
        if (!slot.pass())
            return;
        switch (slot.arrival()) {
            case Arrival.Call call -> audit.carriedOut(order, call);
            case Arrival.Granted granted -> audit.carriedOut(order, granted.call());
            case Arrival.Malformed _ -> {
                // No order names it.
            }
        }
    }

    /// Keeps what auditors learn of orders.
    @FunctionalInterface
    public interface Audit {
        /// The call goes on beside its lane, or is about to end. Must not wait.
        void carriedOut(LaneOrder order, Arrival.Call call);
    }

    /// Finds the slots of an order's call that run.
    @FunctionalInterface
    public interface Slots {
        /// Those of this worker; none when it does not run here.
        Iterable<LaneSlot> of(LaneOrder order);
    }
}
