package dev.toolfleet.cli.tail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Reads the committed records of all partitions of one topic, without a group. For one thread.
final class TailReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final Map<TopicPartition, Long> ends;

    /// Stands where it is to begin; no record is missed that is committed afterwards.
    TailReader(Map<String, Object> clientProperties, String topic, TailOptions.Start start) {
        Map<String, Object> config = new HashMap<>(clientProperties);
        config.remove("group.id");
        config.remove("group.instance.id");
        config.put("isolation.level", "read_committed");
        config.put("enable.auto.commit", false);
        config.put("allow.auto.create.topics", false);
        // What retention takes away while it is being read is gone.
        config.put("auto.offset.reset", "earliest");
        config.put("default.api.timeout.ms", Math.toIntExact(TIMEOUT.toMillis()));
        consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        try {
            partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition())).toList();
            ends = Map.copyOf(consumer.endOffsets(partitions));
            consumer.assign(partitions);
            seek(start);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void seek(TailOptions.Start start) {
        ends.forEach(consumer::seek);
        switch (start) {
            case TailOptions.Start.Now() -> {
            }
            case TailOptions.Start.Beginning() -> consumer.beginningOffsets(partitions).forEach(consumer::seek);
            case TailOptions.Start.Since(var time) -> {
                Map<TopicPartition, Long> asked = new HashMap<>();
                partitions.forEach(partition -> asked.put(partition, time.toEpochMilli()));
                Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(asked);
                found.forEach((partition, at) -> {
                    // Kafka maps to null what it did not find.
                    if (at != null)
                        consumer.seek(partition, at.offset());
                });
            }
        }
    }

    /// What came, those of a partition in their order and else the older first; waits a moment for it.
    List<ConsumerRecord<byte[], byte[]>> poll() {
        return merged(consumer.poll(POLL));
    }

    /// Whether all is read that stood there when this began.
    boolean isAtEnd() {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    /// Whether a record stood there when this began.
    boolean stoodThere(ConsumerRecord<byte[], byte[]> record) {
        return record.offset() < ends.getOrDefault(new TopicPartition(record.topic(), record.partition()), 0L);
    }

    static List<ConsumerRecord<byte[], byte[]>> merged(ConsumerRecords<byte[], byte[]> records) {
        PriorityQueue<Head> heads = new PriorityQueue<>(Comparator.comparingLong(head -> head.first().timestamp()));
        records.partitions().forEach(partition -> {
            Iterator<ConsumerRecord<byte[], byte[]>> rest = records.records(partition).iterator();
            heads.add(new Head(rest.next(), rest));
        });
        List<ConsumerRecord<byte[], byte[]>> merged = new ArrayList<>(records.count());
        for (Head head = heads.poll(); head != null; head = heads.poll()) {
            merged.add(head.first());
            if (head.rest().hasNext())
                heads.add(new Head(head.rest().next(), head.rest()));
        }
        return merged;
    }

    private record Head(ConsumerRecord<byte[], byte[]> first, Iterator<ConsumerRecord<byte[], byte[]>> rest) {}

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
    }
}
