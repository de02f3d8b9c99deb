package dev.toolfleet.catalog.topology;

import dev.toolfleet.catalog.telemetry.CatalogLogKeys;
import dev.toolfleet.policy.ClearedLabels;
import dev.toolfleet.wire.LabelOrder;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows the orders to clear labels on `tool.operator`, and passes over those to lanes. On the global thread.
final class LabelOrderProcessor implements Processor<String, byte[], Void, Void> {
    private static final Logger LOG = LoggerFactory.getLogger(LabelOrderProcessor.class);
    private static final WireCodec<LabelOrder> CODEC = WireCodec.of(LabelOrder.class);

    private final ClearedLabels cleared;

    LabelOrderProcessor(ClearedLabels cleared) {
        this.cleared = cleared;
    }

    @Override
    public void process(Record<String, byte[]> record) {
        byte @Nullable [] value = record.value();
        if (!LabelOrder.isOne(value) || value == null)
            return;
        try {
            cleared.add(CODEC.read(value), record.timestamp());
        } catch (WireFormatException e) {
            LOG.atWarn().addKeyValue(CatalogLogKeys.KEY, record.key())
                    .addKeyValue(CatalogLogKeys.REASON, e.getMessage())
                    .log("order about labels skipped: unreadable");
        }
    }
}
