package dev.toolfleet.catalog.topology;

import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.toolfleet.wire.StepCatalog;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.state.HostInfo;
import org.apache.kafka.streams.state.QueryableStoreTypes;

/// Reads the stores of newest steps from outside the topology. A step is found a few milliseconds before it is
/// committed. Every method throws [org.apache.kafka.streams.errors.InvalidStateStoreException] or
/// [IllegalStateException] while Kafka Streams cannot answer.
public final class StepQueries {
    private final KafkaStreams streams;
    private final String stepTopic;

    /// @param stepTopic the name of `agent.step`, whose partitions identify the stores
    public StepQueries(KafkaStreams streams, String stepTopic) {
        this.streams = streams;
        this.stepTopic = stepTopic;
    }

    /// Returns the partitions that this member owns.
    public Set<Integer> owned() {
        Set<Integer> owned = new TreeSet<>();
        streams.metadataForLocalThreads().forEach(thread -> thread.activeTasks()
                .forEach(task -> owned.addAll(partitions(task.topicPartitions()))));
        return owned;
    }

    /// Returns the newest step of an instance's agent in these partitions. Its key may be in several, if its producer
    /// has changed the partition; the step that was published last counts.
    public Optional<StepCatalog> newest(Set<Integer> owned, String instanceKey, String agentName) {
        String key = StepCatalog.key(instanceKey, agentName);
        return owned.stream().map(partition -> streams.store(StoreQueryParameters.fromNameAndType(StepStore.NAME,
                QueryableStoreTypes.<String, byte[]>keyValueStore()).withPartition(partition)).get(key))
                .map(StepStore::read).filter(Objects::nonNull)
                // a/b and c have the key of a and b/c.
                .filter(step -> step.instanceKey().equals(instanceKey) && step.agentName().equals(agentName))
                .max(Comparator.comparing(StepCatalog::publishedAt));
    }

    /// Returns the members that publish their address, with the partitions that they own; this one too.
    public Map<HostInfo, Set<Integer>> members() {
        Map<HostInfo, Set<Integer>> members = new TreeMap<>(Comparator.comparing(HostInfo::toString));
        for (StreamsMetadata member : streams.metadataForAllStreamsClients()) {
            if (!member.hostInfo().equals(HostInfo.unavailable()))
                members.put(member.hostInfo(), partitions(member.topicPartitions()));
        }
        return members;
    }

    private Set<Integer> partitions(Set<TopicPartition> all) {
        Set<Integer> partitions = new TreeSet<>();
        all.stream().filter(one -> one.topic().equals(stepTopic)).forEach(one -> partitions.add(one.partition()));
        return partitions;
    }
}
