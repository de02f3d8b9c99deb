package dev.toolfleet.sessions.http;

import dev.toolfleet.json.Json;
import dev.toolfleet.session.message.MessageData;
import dev.toolfleet.session.transcript.Corruption;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.sessions.topology.ModelTranscript;
import dev.toolfleet.sessions.topology.SessionQueries.StoredSession;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.SessionState;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Views of a session's messages: the log as it was written, and the repaired transcript for a model.
final class SessionViews {
    private SessionViews() {}

    static ObjectNode log(StoredSession session) {
        ObjectNode view = view(session.state(), "log");
        ArrayNode messages = view.putArray("messages");
        session.messages().forEach(message -> messages.add(Json.MAPPER.<ObjectNode>valueToTree(message)));
        return view;
    }

    /// Unchanged messages stand there as they were written.
    static ObjectNode model(StoredSession session) {
        ModelTranscript transcript = ModelTranscript.of(session.messages(), session.state());
        ObjectNode view = view(session.state(), "model");
        ArrayNode messages = view.putArray("messages");
        for (Entry entry : transcript.entries()) {
            SessionMessage original = transcript.message(entry);
            boolean whole = original != null && MessageData.entries(original).size() == 1;
            ObjectNode message = messages.addObject().put("id", entry.id());
            message.set("data", original == null || !whole ? MessageData.data(entry) : original.data());
            if (!entry.metadata().isEmpty())
                message.set("metadata", entry.metadata());
        }
        ArrayNode findings = view.putArray("findings");
        for (Corruption corruption : transcript.findings()) {
            findings.addObject().put("kind", corruption.kind().wireName()).put("index", corruption.index())
                    .put("description", corruption.description());
        }
        return view;
    }

    private static ObjectNode view(SessionState state, String name) {
        return Json.MAPPER.createObjectNode().put("instanceKey", state.instanceKey())
                .put("agentName", state.agentName())
                .put("seq", state.seq()).put("view", name);
    }
}
