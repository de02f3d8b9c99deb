package dev.toolfleet.client.topics;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;

import dev.toolfleet.json.Json;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.ResourceRecord;
import dev.toolfleet.wire.ToolSource;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Partition counts at the creation of the topics, kept as a resource of the reserved bundle `@fleet` on
/// `tool.resource`. Readers of resources ignore its kind. Earlier versions read and write the count of group A only.
///
/// **Why.** Kafka keeps no earlier count after partitions were added.
final class RecordedCounts {
    private static final String BUNDLE = "@fleet";
    private static final String KIND = "Topics";
    private static final String NAME = "partitions";
    private static final byte[] KEY = ResourceRecord.key(BUNDLE, KIND, NAME).getBytes(StandardCharsets.UTF_8);
    private static final WireCodec<ResourceRecord> CODEC = WireCodec.of(ResourceRecord.class);

    private final String topic;
    private final Map<String, Object> properties;
    private final Duration timeout;

    RecordedCounts(String topic, Map<String, Object> properties, Duration timeout) {
        this.topic = topic;
        this.properties = properties;
        this.timeout = timeout;
    }

    void write(FixedCounts counts) throws InterruptedException, ExecutionException {
        var resource = Json.MAPPER.createObjectNode().put("apiVersion", "toolfleet.dev/v1").put("kind", KIND);
        resource.putObject("metadata").put("name", NAME);
        var spec = resource.putObject("spec").put("groupA", counts.groupA());
        counts.pending().ifPresent(count -> spec.put("pending", count));
        var record = new ResourceRecord(BUNDLE, 1, new ToolSource(ToolSource.CONFIG, BUNDLE), resource, Map.of(), null);
        var headers = WireHeaders.cloudEvent(EventType.TOOL_RESOURCE, BUNDLE + "/" + KIND + "/" + NAME,
                "/toolfleet/topics", NAME, Instant.now(), null);
        Map<String, Object> config = new HashMap<>(properties);
        config.put("acks", "all");
        config.put("max.block.ms", timeout.toMillis());
        config.put("linger.ms", 0);
        config.put("request.timeout.ms", Math.toIntExact(timeout.toMillis()));
        config.put("delivery.timeout.ms", Math.toIntExact(timeout.toMillis()));
        try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, 0, KEY, CODEC.write(record), KafkaHeaders.of(headers))).get();
        }
    }

    /// Returns the recorded counts; empty when there are none, as with topics made by hand.
    Optional<FixedCounts> read() {
        AtomicReference<Optional<FixedCounts>> found = new AtomicReference<>(Optional.empty());
        try (TopicScan scan = TopicScan.open(properties, timeout, TopicScan.Gauge.SILENT)) {
            scan.read(scan.beginnings(List.of(new TopicPartition(topic, 0))), record -> {
                if (Arrays.equals(record.key(), KEY))
                    found.set(counts(record.value()));
            });
        }
        return found.get();
    }

    private Optional<FixedCounts> counts(byte @Nullable [] value) {
        if (value == null)
            return Optional.empty();
        try {
            JsonNode spec = CODEC.read(value).resource().path("spec");
            JsonNode groupA = spec.path("groupA");
            JsonNode pending = spec.path("pending");
            if (groupA.isIntegralNumber() && (pending.isMissingNode() || pending.isIntegralNumber()))
                return Optional.of(new FixedCounts(groupA.intValue(), pending.isMissingNode()
                        ? OptionalInt.empty()
                        : OptionalInt.of(pending.intValue())));
        } catch (WireFormatException e) {
            throw new FleetTopicsException(unreadable(), e);
        }
        throw new FleetTopicsException(unreadable());
    }

    private String unreadable() {
        return "the record '" + new String(KEY, StandardCharsets.UTF_8) + "' on topic '" + topic
                + "' cannot be read; run " + FleetTopics.CREATE_COMMAND + " --partitions N to write it again";
    }
}
