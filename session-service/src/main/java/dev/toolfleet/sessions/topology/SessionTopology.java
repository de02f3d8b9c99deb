package dev.toolfleet.sessions.topology;

import java.util.List;

import dev.toolfleet.streams.Outgoing;
import dev.toolfleet.topic.Topic;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.state.Stores;

/// Topology of the session service: reads `session.message`, `tool.result`, `tool.call`, `agent.step` and
/// `tool.resource`, and writes `session.message`, `session.state`, `session.report`, `tool.control` and
/// `tool.dead-letter`; for summarisers `agent.step` and `tool.call`, too.
///
/// **Contract.** The message of a result, the state of its session and the result's offset belong to one transaction. All
/// records of a session keep the partition of their source.
public final class SessionTopology {
    static final String MESSAGE_SINK = "to-session-message";
    static final String CALL_SINK = "to-call";
    static final String STEP_SINK = "to-step";
    static final String STATE_SINK = "to-session-state";
    static final String REPORT_SINK = "to-session-report";
    static final String CONTROL_SINK = "to-control";
    static final String DEAD_LETTER_SINK = "to-dead-letter";
    private static final String PROCESSOR = "sessions";
    private static final String RESOURCES = "resources";
    static final List<Topic> SOURCES = List.of(Topic.SESSION_MESSAGE, Topic.RESULT, Topic.CALL, Topic.STEP);
    /// Some producers write no time (-1), which would stop the thread.
    private static final TimestampExtractor AT = (record, streamTime) -> Math.max(record.timestamp(), 0);

    private SessionTopology() {}

    /// Makes the topology of one run.
    public static Topology of(TopologySettings settings) {
        Topology topology = new Topology();
        String[] sources = SOURCES.stream().map(topic -> "from-" + topic.baseName()).toArray(String[]::new);
        for (Topic topic : SOURCES) {
            topology.addSource(AutoOffsetReset.earliest(), "from-" + topic.baseName(), AT, new ByteArrayDeserializer(),
                    new ByteArrayDeserializer(), settings.topics().name(topic));
        }
        AgentContexts contexts = new AgentContexts(settings.resources(), settings.limits(), settings.window());
        // Kafka Streams requires a store. The table is the state: each start reads the whole topic through the processor.
        topology.addGlobalStore(
                Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(RESOURCES), Serdes.String(),
                        Serdes.ByteArray()).withLoggingDisabled(),
                "from-resource", new StringDeserializer(), new ByteArrayDeserializer(),
                settings.topics().name(Topic.RESOURCE), RESOURCES, () -> new ResourceProcessor(settings.resources()));
        topology.addProcessor(PROCESSOR, () -> new SessionProcessor(settings, contexts), sources);
        for (String store : List.of(SessionStores.MESSAGES, SessionStores.INDEX)) {
            topology.addStateStore(Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(store), Serdes.String(),
                    Serdes.ByteArray()), PROCESSOR);
        }
        sink(topology, MESSAGE_SINK, settings.topics().name(Topic.SESSION_MESSAGE), true);
        sink(topology, CALL_SINK, settings.topics().name(Topic.CALL), true);
        sink(topology, STEP_SINK, settings.topics().name(Topic.STEP), true);
        sink(topology, STATE_SINK, settings.topics().name(Topic.SESSION_STATE), true);
        sink(topology, REPORT_SINK, settings.topics().name(Topic.SESSION_REPORT), false);
        sink(topology, CONTROL_SINK, settings.topics().name(Topic.CONTROL), false);
        sink(topology, DEAD_LETTER_SINK, settings.topics().name(Topic.DEAD_LETTER), false);
        return topology;
    }

    private static void sink(Topology topology, String name, String topic, boolean toItsPartition) {
        if (toItsPartition)
            topology.addSink(name, topic, new ByteArraySerializer(), Outgoing.SERIALIZER, Outgoing.TO_ITS_PARTITION,
                    PROCESSOR);
        else
            topology.addSink(name, topic, new ByteArraySerializer(), Outgoing.SERIALIZER, PROCESSOR);
    }
}
