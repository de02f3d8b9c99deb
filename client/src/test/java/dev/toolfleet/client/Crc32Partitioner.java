package dev.toolfleet.client;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.CRC32;

import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.common.Cluster;

/// Partitions as librdkafka does by default.
public final class Crc32Partitioner implements Partitioner {
    static int partition(String key, int partitions) {
        CRC32 crc = new CRC32();
        crc.update(key.getBytes(StandardCharsets.UTF_8));
        return (int) (crc.getValue() % partitions);
    }

    @Override
    public int partition(String topic, Object key, byte[] keyBytes, Object value, byte[] valueBytes, Cluster cluster) {
        return partition(new String(keyBytes, StandardCharsets.UTF_8), cluster.partitionCountForTopic(topic));
    }

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> configs) {}
}
