package dev.toolfleet.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

import dev.toolfleet.client.topics.FleetTopics;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.wire.WireFormatException;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Inbox of the events of a runtime's agents: `agent.event`, shared among the processes of one consumer group. The
/// events of one instance come in order and to one process at a time.
///
/// ```java
/// try (var inbox = AgentInbox.open(config, "my-agents"); var answers = AgentAnswers.open(config)) {
///     while (running)
///         for (AgentEvent event : inbox.next(Duration.ofSeconds(1)))
///             if (event.type() == AgentEvent.Type.DELEGATE)
///                 answers.answered(event, StringNode.valueOf(work(event))).toCompletableFuture().join();
/// }
/// ```
///
/// The events of one [#next] count as done at the following [#next]. The group delivers events that a process did not
/// finish again, to it or to another: an event may come twice, under the same id. For one thread.
public final class AgentInbox implements AutoCloseable {
    private static final WireCodec<AgentEvent> CODEC = WireCodec.of(AgentEvent.class);

    private final Consumer<byte[], byte[]> consumer;
    private final Duration closeTimeout;
    private long unreadable;
    private long overtaken;

    AgentInbox(ClientConfig config, Consumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
        this.closeTimeout = config.brokerTimeout();
        consumer.subscribe(List.of(config.topics().name(Topic.AGENT_EVENT)));
    }

    /// Opens an inbox.
    ///
    /// @param group of the runtime's processes; a new one begins with the events that are there
    /// @throws dev.toolfleet.client.topics.FleetTopicsException when the broker cannot be reached or has no
    ///         `agent.event`
    public static AgentInbox open(ClientConfig config, String group) {
        new FleetTopics(config.topics(), config.properties(), config.brokerTimeout())
                .check(EnumSet.of(Topic.AGENT_EVENT));
        return new AgentInbox(config, new KafkaConsumer<>(KafkaProperties.member(config, group),
                new ByteArrayDeserializer(), new ByteArrayDeserializer()));
    }

    /// Returns the next events of all agents; ignore those that are not yours. Waits at most `atMost` for one. Call it
    /// at least every five minutes, or the group counts this process as dead.
    public List<AgentEvent> next(Duration atMost) {
        try {
            consumer.commitSync();
        } catch (CommitFailedException | RebalanceInProgressException e) {
            // The partitions now belong to another process, which gets these events again.
            overtaken++;
        }
        List<AgentEvent> events = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(atMost)) {
            try {
                AgentEvent event = record.value() == null ? null : CODEC.read(record.value());
                if (event != null && event.type() == AgentEvent.Type.UNKNOWN)
                    unreadable++;
                else if (event != null)
                    events.add(event);
            } catch (WireFormatException e) {
                unreadable++;
            }
        }
        return events;
    }

    /// Number of records that were skipped: no agent events, or of a type that this version does not know.
    public long unreadable() {
        return unreadable;
    }

    /// Number of times that the group moved the partitions before the events of [#next] were done; another process then
    /// gets the events again.
    public long overtaken() {
        return overtaken;
    }

    /// Leaves the group. The next member gets the events of the last [#next] again.
    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(closeTimeout));
    }
}
