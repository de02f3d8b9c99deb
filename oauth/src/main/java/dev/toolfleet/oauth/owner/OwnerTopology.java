package dev.toolfleet.oauth.owner;

import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;

import dev.toolfleet.oauth.grant.GrantRules;
import dev.toolfleet.oauth.grant.Secrets;
import dev.toolfleet.oauth.grant.ServerReply;
import dev.toolfleet.oauth.grant.ServerRequest;
import dev.toolfleet.streams.Outgoing;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.WallclockTimestampExtractor;
import org.apache.kafka.streams.state.Stores;

/// Topology of the owners of grants: reads `oauth.order`, and writes `oauth.grant`, `oauth.session`, `agent.event`,
/// `tool.decision` and `tool.dead-letter`.
///
/// **Contract.** An order's offset, the state that it changes and the records that it causes belong to one transaction. So
/// do an authorization server's answer and its records. A partition has one owner, so a grant has one writer.
final class OwnerTopology {
    private static final String SOURCE = "from-order";
    private static final String PROCESSOR = "grants";

    private OwnerTopology() {}

    /// Makes the topology of one run.
    static Topology of(Topics topics, GrantRules rules, Secrets secrets,
            Function<ServerRequest, ServerReply> servers, RequestRoom room, InstantSource clock) {
        Topology topology = new Topology();
        topology.addSource(AutoOffsetReset.earliest(), SOURCE, new WallclockTimestampExtractor(),
                new ByteArrayDeserializer(), new ByteArrayDeserializer(), topics.name(Topic.OAUTH_ORDER));
        topology.addProcessor(PROCESSOR, () -> new GrantProcessor(rules, secrets, servers, room, clock), SOURCE);
        for (String store : List.of(GrantStores.GRANTS, GrantStores.DUE)) {
            topology.addStateStore(Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(store), Serdes.String(),
                    Serdes.ByteArray()), PROCESSOR);
        }
        sink(topology, GrantProcessor.GRANT_SINK, topics.name(Topic.OAUTH_GRANT));
        sink(topology, GrantProcessor.SESSION_SINK, topics.name(Topic.OAUTH_SESSION));
        sink(topology, GrantProcessor.EVENT_SINK, topics.name(Topic.AGENT_EVENT));
        sink(topology, GrantProcessor.DECISION_SINK, topics.name(Topic.DECISION));
        sink(topology, GrantProcessor.DEAD_LETTER_SINK, topics.name(Topic.DEAD_LETTER));
        return topology;
    }

    private static void sink(Topology topology, String name, String topic) {
        topology.addSink(name, topic, new ByteArraySerializer(), Outgoing.SERIALIZER, PROCESSOR);
    }
}
