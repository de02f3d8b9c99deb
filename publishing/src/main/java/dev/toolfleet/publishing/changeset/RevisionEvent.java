package dev.toolfleet.publishing.changeset;

import java.time.Instant;

import dev.toolfleet.json.Json;
import dev.toolfleet.publishing.apply.ResourceTransaction;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.WireCodec;
import tools.jackson.databind.node.ObjectNode;

/// The event `swarmBundle.revisionChanged` for the agent that committed. Its id is the changeset's, so a reader drops
/// the second one of a commit that ran twice.
record RevisionEvent(Author author, String changesetId, String previousRef, String newRef, Changes changes,
        Instant now) {
    private static final String NAME = "swarmBundle.revisionChanged";
    private static final WireCodec<AgentEvent> CODEC = WireCodec.of(AgentEvent.class);

    /// @param topic the name of `agent.event`
    void write(ResourceTransaction transaction, String topic) {
        String id = "revision-" + changesetId;
        ObjectNode payload = Json.MAPPER.createObjectNode().put("type", NAME).put("previousRef", previousRef)
                .put("newRef", newRef).put("changesetId", changesetId);
        payload.set("summary", Answers.summary(changes));
        payload.put("timestamp", now.toString());
        AgentEvent event = new AgentEvent(id, AgentEvent.Type.EVENT, null,
                new AgentAddress(author.agent(), author.instanceKey()), NAME, payload, null, null, null, null, null,
                null, author.caller().userId(), author.caller().channelId(), now, null, null);
        transaction.write(topic, author.instanceKey(), CODEC.write(event), WireHeaders.cloudEvent(
                EventType.AGENT_EVENT, id, "/toolfleet/changesets", author.instanceKey(), now, null));
    }
}
