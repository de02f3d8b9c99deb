import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.toolfleet.json.Json;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import tools.jackson.databind.node.ObjectNode;

/// Prints `tool.audit` from its beginning to its present end, in the form of `toolfleet tail --json`: {time, topic,
/// partition, offset, record}, one object a line.
///
/// Usage: java -cp cli/target/toolfleet.jar examples/analyst/AuditExport.java HOST:PORT
final class AuditExport {
    private static final String TOPIC = "tool.audit";

    private AuditExport() {}

    public static void main(String[] args) {
        Map<String, Object> config = Map.of("bootstrap.servers", args[0], "isolation.level", "read_committed",
                "enable.auto.commit", false, "auto.offset.reset", "earliest");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(TOPIC).stream()
                    .map(info -> new TopicPartition(TOPIC, info.partition())).toList();
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            // Assigned by hand, without a group: a group would need rights and a removal.
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue()))
                consumer.poll(Duration.ofMillis(200)).forEach(AuditExport::print);
        }
    }

    private static void print(ConsumerRecord<byte[], byte[]> record) {
        ObjectNode line = Json.MAPPER.createObjectNode();
        line.put("time", Instant.ofEpochMilli(record.timestamp()).toString());
        line.put("topic", record.topic());
        line.put("partition", record.partition());
        line.put("offset", record.offset());
        line.set("record", Json.MAPPER.readTree(record.value()));
        System.out.println(line);
    }
}
