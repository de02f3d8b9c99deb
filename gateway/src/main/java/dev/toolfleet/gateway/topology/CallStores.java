package dev.toolfleet.gateway.topology;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

import dev.toolfleet.gateway.calls.CallEvents;
import dev.toolfleet.gateway.calls.CallFilter;
import dev.toolfleet.gateway.calls.CallId;
import dev.toolfleet.gateway.calls.CallPage;
import dev.toolfleet.gateway.calls.CallView;
import dev.toolfleet.gateway.calls.EventId;
import dev.toolfleet.gateway.calls.FleetLoad;
import dev.toolfleet.gateway.calls.InstanceResults;
import dev.toolfleet.gateway.calls.ResultPosition;
import dev.toolfleet.gateway.calls.TopicPosition;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.TaskMetadata;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.HostInfo;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/// Reads the stores of this process's partitions from outside the topology. A part is found a few milliseconds before
/// it is committed. Every method throws [org.apache.kafka.streams.errors.InvalidStateStoreException] or
/// [IllegalStateException] while Kafka Streams cannot answer, or when the partition is another member's.
public final class CallStores {
    private static final WireCodec<ToolResult> RESULTS = WireCodec.of(ToolResult.class);
    /// The size of stored results after which a read takes no further one.
    private static final int MAX_READ_BYTES = 4 * 1024 * 1024;
    private static final ByteArraySerializer BYTES = new ByteArraySerializer();

    private final KafkaStreams streams;
    private final String callTopic;
    private final boolean copies;

    /// Partitions of a member.
    ///
    /// @param owned those that it processes
    /// @param copied those of other members that it holds a copy of
    public record Held(Set<Integer> owned, Set<Integer> copied) {}

    /// @param callTopic the name of `tool.call`, whose partitions identify the stores
    public CallStores(KafkaStreams streams, String callTopic) {
        this(streams, callTopic, false);
    }

    private CallStores(KafkaStreams streams, String callTopic, boolean copies) {
        this.streams = streams;
        this.callTopic = callTopic;
        this.copies = copies;
    }

    /// Returns stores that also answer for copies, and for partitions whose state is being read back: as they are, each
    /// as its owner left it some time ago.
    public CallStores withCopies() {
        return new CallStores(streams, callTopic, true);
    }

    /// Returns the partitions that this member owns.
    public Set<Integer> owned() {
        return partitions(ThreadMetadata::activeTasks);
    }

    /// Returns the partitions of other members that this one holds a copy of.
    public Set<Integer> copied() {
        return partitions(ThreadMetadata::standbyTasks);
    }

    private Set<Integer> partitions(Function<ThreadMetadata, Set<TaskMetadata>> tasks) {
        Set<Integer> partitions = new TreeSet<>();
        streams.metadataForLocalThreads().forEach(thread -> tasks.apply(thread)
                .forEach(task -> partitions.addAll(partitions(task.topicPartitions()))));
        return partitions;
    }

    /// Returns the members that publish their address, with their partitions; this one too.
    public Map<HostInfo, Held> members() {
        Map<HostInfo, Held> members = new TreeMap<>(Comparator.comparing(HostInfo::toString));
        for (StreamsMetadata member : streams.metadataForAllStreamsClients()) {
            if (!member.hostInfo().equals(HostInfo.unavailable()))
                members.put(member.hostInfo(), new Held(partitions(member.topicPartitions()),
                        partitions(member.standbyTopicPartitions())));
        }
        return members;
    }

    private Set<Integer> partitions(Set<TopicPartition> all) {
        Set<Integer> partitions = new TreeSet<>();
        all.stream().filter(one -> one.topic().equals(callTopic)).forEach(one -> partitions.add(one.partition()));
        return partitions;
    }

    /// Returns the view of a call; empty when its record is not in the store.
    public Optional<CallView> view(CallId id) {
        return history(id).view();
    }

    /// Returns the events of a call behind an id; empty when its record is not in the store.
    public Optional<CallEvents> events(CallId id, @Nullable EventId after) {
        return history(id).events(after);
    }

    private CallHistory history(CallId id) {
        CallHistory history = new CallHistory(id);
        try (KeyValueIterator<byte[], byte[]> parts = store(CallProcessor.CALLS, id.partition())
                .prefixScan(Part.keysOf(id.offset()), BYTES)) {
            parts.forEachRemaining(part -> history.add(part.key, part.value));
        }
        return history;
    }

    /// Returns the offset behind the last call of a partition whose identity is in the store; 0 when none is known. It
    /// is written about once a second, behind the identities.
    public long position(int partition) {
        byte[] position = store(CallProcessor.INDEX, partition).get(IndexKey.POSITION);
        return position == null ? 0 : IndexKey.offset(position);
    }

    /// Returns the first call of a partition with an identity.
    ///
    /// @param identity its digest
    public Optional<CallId> callOf(int partition, byte[] identity) {
        return Optional.ofNullable(store(CallProcessor.INDEX, partition).get(IndexKey.identity(identity)))
                .map(offset -> new CallId(partition, IndexKey.offset(offset)));
    }

    /// Returns the latest call of an instance in a partition.
    ///
    /// @param instance its digest
    public Optional<CallId> latestCall(int partition, byte[] instance) {
        return Optional.ofNullable(store(CallProcessor.INDEX, partition).get(IndexKey.instance(instance)))
                .map(offset -> new CallId(partition, IndexKey.offset(offset)));
    }

    /// Returns the final results of an instance in a partition. Takes no more of them once they have some megabytes, and
    /// passes over those that were removed meanwhile or that this version cannot read.
    ///
    /// @param instance its digest
    /// @param from the first offset on `tool.result`
    /// @param limit the largest number of results
    public List<InstanceResults.One> results(int partition, byte[] instance, long from, int limit) {
        ReadOnlyKeyValueStore<byte[], byte[]> calls = store(CallProcessor.CALLS, partition);
        List<InstanceResults.One> results = new ArrayList<>();
        long bytes = 0;
        try (KeyValueIterator<byte[], byte[]> entries = store(CallProcessor.INDEX, partition)
                .range(IndexKey.result(instance, from), IndexKey.result(instance, Long.MAX_VALUE))) {
            while (entries.hasNext() && results.size() < limit && bytes < MAX_READ_BYTES) {
                KeyValue<byte[], byte[]> entry = entries.next();
                long offset = IndexKey.resultOffset(entry.key);
                long call = IndexKey.offset(entry.value);
                byte[] stored = calls.get(Part.RESULT.key(call, offset));
                bytes += stored == null ? 0 : stored.length;
                result(stored).ifPresent(result -> results.add(new InstanceResults.One(
                        new ResultPosition(partition, offset), new CallId(partition, call), result)));
            }
        }
        return results;
    }

    /// Returns the newest selected calls of partitions, without the partitions whose stores cannot be opened.
    ///
    /// @param before the position of an earlier page; null to begin with the newest call
    /// @param limit the largest number of calls
    public CallPage list(Set<Integer> partitions, CallFilter filter, @Nullable TopicPosition before, int limit,
            ScanBudget budget) {
        Map<Integer, ReadOnlyKeyValueStore<byte[], byte[]>> indexes = indexes(partitions);
        try (HeadScan scan = new HeadScan(indexes, filter, before)) {
            return scan.page(limit, budget, missing(partitions, indexes));
        }
    }

    /// Returns the load of partitions, without those whose stores cannot be opened.
    ///
    /// @param now the end of the hour that is counted
    /// @param mostInstances the largest number of instances
    public FleetLoad load(Set<Integer> partitions, Instant now, int mostInstances) {
        Map<Integer, ReadOnlyKeyValueStore<byte[], byte[]>> indexes = indexes(partitions);
        return CallHeads.load(indexes, now).load(mostInstances, missing(partitions, indexes));
    }

    private Map<Integer, ReadOnlyKeyValueStore<byte[], byte[]>> indexes(Set<Integer> partitions) {
        Map<Integer, ReadOnlyKeyValueStore<byte[], byte[]>> indexes = new TreeMap<>();
        for (int partition : partitions) {
            try {
                indexes.put(partition, store(CallProcessor.INDEX, partition));
            } catch (InvalidStateStoreException e) {
                // It has moved, and is missing.
            }
        }
        return indexes;
    }

    private static Set<Integer> missing(Set<Integer> partitions, Map<Integer, ?> indexes) {
        Set<Integer> missing = new TreeSet<>(partitions);
        missing.removeAll(indexes.keySet());
        return missing;
    }

    /// Reads a stored result; empty for one that was removed meanwhile, or that this version cannot read.
    private static Optional<ToolResult> result(byte @Nullable [] value) {
        try {
            return value == null ? Optional.empty() : Optional.of(RESULTS.read(StoredResult.read(value).record()));
        } catch (WireFormatException e) {
            return Optional.empty();
        }
    }

    private ReadOnlyKeyValueStore<byte[], byte[]> store(String name, int partition) {
        StoreQueryParameters<ReadOnlyKeyValueStore<byte[], byte[]>> query = StoreQueryParameters
                .fromNameAndType(name, QueryableStoreTypes.<byte[], byte[]>keyValueStore()).withPartition(partition);
        return streams.store(copies ? query.enableStaleStores() : query);
    }
}
