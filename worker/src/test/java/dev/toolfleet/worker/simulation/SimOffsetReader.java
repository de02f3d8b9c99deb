package dev.toolfleet.worker.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.worker.simulation.Faults.Fault;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Reader of the simulated cluster's offsets that does not join its group.
final class SimOffsetReader {
    private final SimCluster cluster;

    SimOffsetReader(SimCluster cluster) {
        this.cluster = cluster;
    }

    @SuppressWarnings("unchecked")
    Consumer<byte[], byte[]> asConsumer() {
        return Fakes.of(Consumer.class, this);
    }

    public Map<TopicPartition, @Nullable OffsetAndMetadata> committed(Set<TopicPartition> partitions,
            Duration patience) {
        cluster.fibers.pause();
        if (cluster.faults.happens(Fault.OFFSET_READ))
            throw new TimeoutException("offsets");
        cluster.group.awaitStable(partitions, patience.toMillis());
        Map<TopicPartition, @Nullable OffsetAndMetadata> found = new HashMap<>();
        for (TopicPartition partition : partitions)
            found.put(partition, cluster.group.committed(partition));
        return found;
    }

    public void unsubscribe() {}
}
