package dev.toolfleet.cli.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.cli.fleet.OneJvmFleet;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Reads what calls say of their progress, from the beginning. Used by one thread.
final class ProgressReader implements AutoCloseable {
    private static final WireCodec<ToolProgress> CODEC = WireCodec.of(ToolProgress.class);
    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaConsumer<byte[], byte[]> consumer;

    private ProgressReader(KafkaConsumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
    }

    static ProgressReader open(OneJvmFleet fleet) {
        Map<String, Object> config = new HashMap<>(fleet.config().kafka().clientProperties());
        config.put("isolation.level", "read_committed");
        config.put("enable.auto.commit", false);
        var consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        String topic = fleet.config().topics().topics().name(Topic.PROGRESS);
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition())).toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        return new ProgressReader(consumer);
    }

    /// What came since the last time; waits a moment for it.
    List<ToolProgress> read() {
        List<ToolProgress> read = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL))
            read.add(CODEC.read(record.value()));
        return read;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
