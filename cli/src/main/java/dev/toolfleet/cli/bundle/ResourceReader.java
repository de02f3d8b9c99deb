package dev.toolfleet.cli.bundle;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads `tool.resource` once, to the end that it has at that moment.
public final class ResourceReader {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceReader.class);
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final String topic;
    private final Map<String, Object> clientProperties;

    /// @param topic the name of `tool.resource`, which exists
    public ResourceReader(String topic, Map<String, Object> clientProperties) {
        this.topic = topic;
        this.clientProperties = Map.copyOf(clientProperties);
    }

    /// What is committed.
    ///
    /// @throws org.apache.kafka.common.KafkaException when the broker does not answer in 10 s
    public ResourceTable read() {
        ResourceTable table = new ResourceTable();
        try (TopicScan scan = TopicScan.open(clientProperties, TIMEOUT, TopicScan.Gauge.SILENT)) {
            scan.read(scan.beginnings(List.of(new TopicPartition(topic, 0))), record -> apply(record, table));
        }
        return table;
    }

    private static void apply(ConsumerRecord<byte[], byte[]> record, ResourceTable table) {
        if (record.key() == null)
            return;
        try {
            table.apply(new String(record.key(), StandardCharsets.UTF_8),
                    record.value() == null ? null : CODEC.read(record.value()));
        } catch (WireFormatException e) {
            LOG.atWarn().addKeyValue("topic", record.topic()).addKeyValue("offset", record.offset()).setCause(e)
                    .log("A record cannot be read and is left alone");
        }
    }
}
