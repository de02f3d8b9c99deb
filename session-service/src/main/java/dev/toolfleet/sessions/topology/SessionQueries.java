package dev.toolfleet.sessions.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.SessionState;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.state.HostInfo;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/// Reads the stores from outside the topology. Every method throws
/// [org.apache.kafka.streams.errors.InvalidStateStoreException] or [IllegalStateException] while Kafka Streams cannot
/// answer.
public final class SessionQueries {
    private final KafkaStreams streams;

    /// Session with its messages.
    ///
    /// @param state its state
    /// @param messages its messages, oldest first
    public record StoredSession(SessionState state, List<SessionMessage> messages) {
        /// Freezes the list.
        public StoredSession {
            messages = List.copyOf(messages);
        }
    }

    /// @param streams of the topology's run
    public SessionQueries(KafkaStreams streams) {
        this.streams = streams;
    }

    /// Returns a session of this member's partitions. A session whose producer changed the partition may stand in two; the
    /// one that changed last counts.
    public Optional<StoredSession> find(String instanceKey, String agentName) {
        SessionId id = SessionId.of(instanceKey, agentName);
        Optional<Map.Entry<Integer, SessionState>> newest = owned().stream()
                .flatMap(partition -> state(id, partition).stream().map(state -> Map.entry(partition, state)))
                .max(Comparator.comparing(entry -> entry.getValue().updatedAt()));
        return newest.map(entry -> new StoredSession(entry.getValue(), messages(id, entry.getKey())));
    }

    /// Returns the addresses of the other members.
    public Set<HostInfo> others(HostInfo self) {
        Map<String, HostInfo> others = new TreeMap<>();
        for (StreamsMetadata member : streams.metadataForAllStreamsClients()) {
            HostInfo host = member.hostInfo();
            if (!host.equals(HostInfo.unavailable()) && !host.equals(self))
                others.put(host.toString(), host);
        }
        return Set.copyOf(others.values());
    }

    private Optional<SessionState> state(SessionId id, int partition) {
        return Optional.ofNullable(store(SessionStores.INDEX, partition).get(SessionStores.recordKey(id)))
                .map(record -> SessionStores.read(record).state()).filter(state -> state.seq() > 0);
    }

    private List<SessionMessage> messages(SessionId id, int partition) {
        List<SessionMessage> messages = new ArrayList<>();
        try (KeyValueIterator<String, byte[]> range = store(SessionStores.MESSAGES, partition)
                .range(SessionStores.messagesFrom(id), SessionStores.messagesTo(id))) {
            while (range.hasNext())
                messages.add(SessionStores.readMessage(range.next().value));
        }
        return messages;
    }

    private Set<Integer> owned() {
        Set<Integer> owned = new TreeSet<>();
        streams.metadataForLocalThreads().forEach(thread -> thread.activeTasks().stream()
                .map(task -> task.taskId()).map(TaskId::partition).forEach(owned::add));
        return owned;
    }

    private ReadOnlyKeyValueStore<String, byte[]> store(String name, int partition) {
        return streams.store(StoreQueryParameters.fromNameAndType(name,
                QueryableStoreTypes.<String, byte[]>keyValueStore()).withPartition(partition));
    }
}
