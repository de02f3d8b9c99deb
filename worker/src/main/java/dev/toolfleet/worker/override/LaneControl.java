package dev.toolfleet.worker.override;

import java.util.List;

import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.worker.execute.RunningHandlers;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.LaneOrders;
import dev.toolfleet.worker.lane.LaneSlot;
import dev.toolfleet.worker.lane.Lanes;

/// Brings operators' orders to the calls in this worker's lanes.
///
/// @param lanes where calls stand
/// @param handlers interrupts those that are to end
public record LaneControl(Lanes lanes, RunningHandlers handlers) {
    private static final int NO_QUEUED = 0;

    /// From now on orders are carried out.
    void follow(LaneOrders orders, LaneOrderExecutor help) {
        orders.tell(help.listener(this::slots));
        orders.tell(order -> {
            if (order.order() == LaneOrder.Order.FAIL)
                handlers.cancelled(order.instanceKey());
        });
    }

    private List<LaneSlot> slots(LaneOrder order) {
        return lanes.of(order.instanceKey(), NO_QUEUED).stream()
                .filter(lane -> lane.partition() == order.partition()).flatMap(lane -> lane.busy().stream())
                .filter(slot -> offset(slot.arrival()) == order.callOffset()).toList();
    }

    /// The offset of the call, also when it was approved and read again from another topic; -1 for what is no call.
    public static long offset(Arrival arrival) {
        return switch (arrival) {
            case Arrival.Call call -> call.position().offset();
            case Arrival.Granted granted -> granted.call().position().offset();
            case Arrival.Malformed _ -> -1;
        };
    }
}
