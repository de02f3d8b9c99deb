package dev.toolfleet.worker.override;

import dev.toolfleet.wire.LabelOrder;
import dev.toolfleet.worker.identity.LaneOrders;
import dev.toolfleet.worker.state.TopicView;
import org.jspecify.annotations.Nullable;

/// View of `tool.operator`, whose records are orders to lanes and about labels.
record OperatorOrders(LaneOrders lanes, LabelOrders labels) implements TopicView {
    @Override
    public void apply(int partition, String key, byte @Nullable [] value, long time) {
        TopicView view = LabelOrder.isOne(value) ? labels : lanes;
        view.apply(partition, key, value, time);
    }

    @Override
    public void forget(int partition) {
        lanes.forget(partition);
        labels.forget(partition);
    }
}
