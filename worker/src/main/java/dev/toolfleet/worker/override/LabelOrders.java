package dev.toolfleet.worker.override;

import dev.toolfleet.error.Unquoted;
import dev.toolfleet.policy.ClearedLabels;
import dev.toolfleet.wire.LabelOrder;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import dev.toolfleet.worker.state.TopicView;
import dev.toolfleet.worker.telemetry.LogKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// View of the orders to clear labels on `tool.operator`. The follower's thread applies.
record LabelOrders(ClearedLabels cleared) implements TopicView {
    private static final Logger LOG = LoggerFactory.getLogger(LabelOrders.class);
    private static final WireCodec<LabelOrder> CODEC = WireCodec.of(LabelOrder.class);

    @Override
    public void apply(int partition, String key, byte @Nullable [] value, long time) {
        if (value == null)
            return;
        try {
            cleared.add(CODEC.read(value), time);
        } catch (WireFormatException e) {
            LOG.atWarn().addKeyValue(LogKeys.PARTITION, partition).addKeyValue(LogKeys.REASON, Unquoted.name(e))
                    .log("operator record skipped: it is no valid order about labels");
        }
    }

    @Override
    public void forget(int partition) {
        // All partitions are followed as long as the worker lives.
    }
}
