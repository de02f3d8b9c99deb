package dev.toolfleet.catalog.topology;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import dev.toolfleet.catalog.telemetry.CatalogLogKeys;
import dev.toolfleet.streams.Outgoing;
import dev.toolfleet.wire.InstanceLabel;
import dev.toolfleet.wire.JournalEntry;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows the labels of a partition's instances on `tool.journal`, whose other entries it passes over by their keys.
///
/// The journal is compacted, so a service that reads it from the beginning knows every label that counts. Steps and
/// journal have the same partition numbers, so the step's task has its instance's labels.
final class LabelProcessor implements Processor<byte[], byte[], byte[], Outgoing> {
    private static final Logger LOG = LoggerFactory.getLogger(LabelProcessor.class);

    private @Nullable KeyValueStore<String, byte[]> labels;

    @Override
    public void init(ProcessorContext<byte[], Outgoing> context) {
        labels = context.getStateStore(LabelStore.NAME);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        byte @Nullable [] recordKey = record.key();
        if (recordKey == null || recordKey.length == 0 || recordKey[0] != '@')
            return;
        String key = new String(recordKey, StandardCharsets.UTF_8);
        Optional<String> instance = InstanceLabel.instanceOf(key);
        if (instance.isEmpty())
            return;
        byte @Nullable [] value = record.value();
        if (value == null) {
            LabelStore.remove(labels(), instance.get(), InstanceLabel.termOf(key));
            return;
        }
        try {
            if (!(JournalEntry.read(value) instanceof InstanceLabel label))
                return;
            if (label.counts())
                LabelStore.put(labels(), label);
            else
                LabelStore.remove(labels(), label.instanceKey(), label.term());
        } catch (WireFormatException e) {
            LOG.atWarn().addKeyValue(CatalogLogKeys.KEY, key).addKeyValue(CatalogLogKeys.REASON, e.getMessage())
                    .log("journal entry of a label skipped: unreadable");
        }
    }

    private KeyValueStore<String, byte[]> labels() {
        if (labels == null)
            throw new IllegalStateException("process before init");
        return labels;
    }
}
