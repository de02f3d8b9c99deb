package dev.toolfleet.cli.tail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

import dev.toolfleet.client.topics.TopicScan;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/// Reads the committed records of all partitions of one topic, without a group. For one thread.
final class TailReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final TopicScan scan;
    private final Map<TopicPartition, Long> ends;

    /// Stands where it is to begin; no record is missed that is committed afterwards.
    TailReader(Map<String, Object> clientProperties, String topic, TailOptions.Start start) {
        scan = TopicScan.follower(clientProperties, TIMEOUT);
        try {
            List<TopicPartition> partitions = scan.partitions(topic);
            ends = Map.copyOf(scan.ends(partitions));
            scan.follow(switch (start) {
                case TailOptions.Start.Now() -> ends;
                case TailOptions.Start.Beginning() -> scan.beginnings(partitions);
                case TailOptions.Start.Since(var time) -> scan.since(partitions, time);
            });
        } catch (RuntimeException e) {
            scan.close();
            throw e;
        }
    }

    /// Returns the next records, those of a partition in their order and else the older first; waits a moment for them.
    List<ConsumerRecord<byte[], byte[]>> poll() {
        return merged(scan.poll(POLL));
    }

    /// True if all records are read that stood there at the start.
    boolean isAtEnd() {
        return scan.isAt(ends);
    }

    /// True if the record stood there at the start.
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
        scan.close();
    }
}
