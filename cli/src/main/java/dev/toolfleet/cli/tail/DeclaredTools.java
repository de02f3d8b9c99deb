package dev.toolfleet.cli.tail;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.toolfleet.bundle.ToolSpec;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.resources.FleetResources;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which tools access sensitive data, by the present records of `tool.resource`. A name that several bundles use is
/// sensitive when it is in one of them. For one thread.
final class DeclaredTools implements Exposure.Of {
    private static final Logger LOG = LoggerFactory.getLogger(DeclaredTools.class);
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final TopicScan scan;
    private final ResourceTable table = new ResourceTable();
    private Map<TopicPartition, Long> next;
    private Map<String, Exposure> exposures = Map.of();
    private long readAt;
    private boolean changed = true;

    /// @param scan for this object alone
    /// @param topic the name of `tool.resource`
    DeclaredTools(TopicScan scan, String topic) {
        this.scan = scan;
        this.next = scan.beginnings(List.of(new TopicPartition(topic, 0)));
        this.readAt = System.nanoTime() - FRESH.toNanos();
    }

    @Override
    public Exposure tool(String name) {
        if (System.nanoTime() - readAt >= FRESH.toNanos())
            refresh();
        return exposures.getOrDefault(name, Exposure.UNDECLARED);
    }

    private void refresh() {
        next = new HashMap<>(scan.read(next, this::apply));
        readAt = System.nanoTime();
        if (changed)
            exposures = of(table.view());
        changed = false;
    }

    private void apply(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null)
            return;
        changed = true;
        try {
            table.apply(new String(record.key(), StandardCharsets.UTF_8),
                    record.value() == null ? null : CODEC.read(record.value()));
        } catch (WireFormatException e) {
            LOG.atDebug().setCause(e).log("a record is no resource");
        }
    }

    /// Exposures of all declared tools; a registration whose lease has lapsed counts too.
    static Map<String, Exposure> of(FleetResources resources) {
        Map<String, Exposure> exposures = new HashMap<>();
        Stream<ToolSpec> tools = Stream.concat(
                resources.bundles().values().stream().flatMap(bundle -> bundle.tools().values().stream()),
                resources.registrations().values().stream().flatMap(owner -> owner.tools().values().stream()));
        tools.forEach(tool -> tool.exports().forEach(export -> exposures.merge(tool.fullName(export),
                export.policy().accessesSensitiveData() ? Exposure.SENSITIVE : Exposure.SHOWN,
                (one, two) -> one.hides() ? one : two)));
        return exposures;
    }
}
