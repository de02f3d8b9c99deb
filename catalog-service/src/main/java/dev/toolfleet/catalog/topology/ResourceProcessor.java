package dev.toolfleet.catalog.topology;

import java.util.Map;
import java.util.function.Consumer;

import dev.toolfleet.catalog.telemetry.CatalogLogKeys;
import dev.toolfleet.resources.BundleResources;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads `tool.resource` into the table, on the global thread: from the beginning to the end before any step is
/// answered, then as it grows. Skips a record that is no resource.
final class ResourceProcessor implements Processor<String, byte[], Void, Void> {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceProcessor.class);
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);

    private final ResourceTable table;
    private final Consumer<FleetResources> changed;

    /// @param changed called with each other view
    ResourceProcessor(ResourceTable table, Consumer<FleetResources> changed) {
        this.table = table;
        this.changed = changed;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // A view that was not replaced is the same object.
    public void process(Record<String, byte[]> record) {
        byte @Nullable [] value = record.value();
        try {
            FleetResources before = table.view();
            Map<String, String> refused = table.refused();
            table.apply(record.key(), value == null ? null : CODEC.read(value))
                    .flatMap(name -> table.view().bundle(name)).ifPresent(ResourceProcessor::announce);
            if (table.refused() != refused)
                logRefusals(refused, table.refused());
            // Includes a renewed lease, which changes no name.
            if (table.view() != before)
                changed.accept(table.view());
        } catch (WireFormatException e) {
            // This topic also holds other notes of the fleet, such as its partition counts.
            LOG.atDebug().addKeyValue(CatalogLogKeys.KEY, record.key())
                    .log("record on tool.resource is not a resource");
        }
    }

    private static void logRefusals(Map<String, String> before, Map<String, String> now) {
        now.forEach((bundle, why) -> {
            if (!why.equals(before.get(bundle)))
                LOG.atError().addKeyValue(CatalogLogKeys.BUNDLE, bundle).addKeyValue(CatalogLogKeys.REASON, why)
                        .log("bundle rejected");
        });
    }

    private static void announce(BundleResources bundle) {
        LOG.atInfo().addKeyValue(CatalogLogKeys.BUNDLE, bundle.name())
                .addKeyValue(CatalogLogKeys.REVISION, bundle.revision())
                .addKeyValue(CatalogLogKeys.COUNT, bundle.records().size()).log("bundle revision active");
        bundle.problems().forEach(problem -> LOG.atWarn().addKeyValue(CatalogLogKeys.BUNDLE, bundle.name())
                .addKeyValue(CatalogLogKeys.REVISION, bundle.revision()).addKeyValue(CatalogLogKeys.REASON, problem)
                .log("resource left out: unreadable"));
    }
}
