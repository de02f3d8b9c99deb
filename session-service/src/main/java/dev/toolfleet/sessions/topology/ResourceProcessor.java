package dev.toolfleet.sessions.topology;

import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;

/// Reads `tool.resource` into the table, on the global thread: from the beginning to the end before any message is
/// applied, then as it grows. Skips a record that is no resource; catalog services and workers report those.
final class ResourceProcessor implements Processor<String, byte[], Void, Void> {
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);

    private final ResourceTable table;

    ResourceProcessor(ResourceTable table) {
        this.table = table;
    }

    @Override
    public void process(Record<String, byte[]> record) {
        try {
            table.apply(record.key(), record.value() == null ? null : CODEC.read(record.value()));
        } catch (WireFormatException e) {
            // This topic also holds other notes of the fleet, such as its partition counts.
        }
    }
}
