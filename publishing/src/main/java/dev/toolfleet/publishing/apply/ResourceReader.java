package dev.toolfleet.publishing.apply;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.error.Unquoted;
import dev.toolfleet.resources.ResourceTable;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads `tool.resource` once, to the end that it has at that moment.
public final class ResourceReader {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceReader.class);
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    /// An apply's transaction times out after 10 s, and a coordinator looks for such every 10 s.
    private static final Duration OPEN_TRANSACTION = Duration.ofSeconds(30);

    private final String topic;
    private final Map<String, Object> clientProperties;

    /// @param topic the name of `tool.resource`, which exists
    public ResourceReader(String topic, Map<String, Object> clientProperties) {
        this.topic = topic;
        this.clientProperties = Map.copyOf(clientProperties);
    }

    /// Reads the records that are visible to readers: those committed before the first open transaction.
    ///
    /// @throws org.apache.kafka.common.KafkaException when the broker does not answer in 10 s
    public ResourceTable read() {
        ResourceTable table = new ResourceTable();
        try (TopicScan scan = TopicScan.open(clientProperties, TIMEOUT, TopicScan.Gauge.SILENT)) {
            scan.read(scan.beginnings(TopicScan.partitions(topic, 1)), record -> apply(record, table));
        }
        return table;
    }

    /// All that is committed. Waits until every transaction that is open now has ended: behind an open one of another
    /// else there may be a committed revision, and who overlooked it would write its number a second time.
    ///
    /// @throws org.apache.kafka.common.KafkaException when the broker does not answer
    /// @throws ApplyException when a transaction stays open for longer than 30 s
    public ResourceTable readToEnd() {
        ResourceTable table = new ResourceTable();
        try (TopicScan scan = TopicScan.open(clientProperties, OPEN_TRANSACTION, TopicScan.Gauge.SILENT)) {
            List<TopicPartition> one = TopicScan.partitions(topic, 1);
            Map<TopicPartition, Long> end = scan.writtenEnds(one);
            scan.read(scan.beginnings(one), end, record -> apply(record, table));
        } catch (TimeoutException e) {
            throw ApplyException.failed(topic
                    + " cannot be read to its end: a transaction on it has been open for more than "
                    + OPEN_TRANSACTION.toSeconds() + " s. Another apply hangs, or left it behind: end that process, or"
                    + " see kafka-transactions.sh find-hanging", e);
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
            LOG.atWarn().addKeyValue("topic", record.topic()).addKeyValue("offset", record.offset())
                    .setCause(Unquoted.of(e))
                    .log("A record cannot be read and is left alone");
        }
    }
}
