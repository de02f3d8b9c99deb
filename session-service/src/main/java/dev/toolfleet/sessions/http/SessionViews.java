package dev.toolfleet.sessions.http;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.session.message.MessageData;
import dev.toolfleet.session.transcript.CallFacts;
import dev.toolfleet.session.transcript.Corruption;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.transcript.Repaired;
import dev.toolfleet.session.transcript.Transcript;
import dev.toolfleet.sessions.topology.SessionQueries.StoredSession;
import dev.toolfleet.wire.AwaitedCall;
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
        List<Entry> entries = new ArrayList<>();
        IdentityHashMap<Entry, SessionMessage> originals = new IdentityHashMap<>();
        for (SessionMessage message : session.messages()) {
            List<Entry> own = MessageData.entries(message);
            if (own.size() == 1)
                originals.put(own.getFirst(), message);
            entries.addAll(own);
        }
        Repaired repaired = Transcript.repair(entries, facts(session.state(), originals));
        ObjectNode view = view(session.state(), "model");
        ArrayNode messages = view.putArray("messages");
        for (Entry entry : repaired.entries()) {
            SessionMessage original = originals.get(entry);
            ObjectNode message = messages.addObject().put("id", entry.id());
            message.set("data", original == null ? MessageData.data(entry) : original.data());
            if (!entry.metadata().isEmpty())
                message.set("metadata", entry.metadata());
        }
        ArrayNode findings = view.putArray("findings");
        for (Corruption corruption : repaired.report().corruptions()) {
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

    /// A call that stands on `tool.call` and has no result runs, or waits in its lane: the service reads every result.
    private static CallFacts facts(SessionState state, IdentityHashMap<Entry, SessionMessage> originals) {
        return (frame, call) -> {
            SessionMessage original = originals.get(frame);
            String step = original == null ? null : original.source().stepId();
            AwaitedCall awaited = state.awaited().stream().filter(one -> one.isOf(call.id(), step)).findFirst()
                    .orElse(null);
            if (awaited == null || !awaited.requested())
                return new CallFacts.Unknown(CallFacts.Reason.LOST);
            return awaited.handle() == null ? new CallFacts.Running() : new CallFacts.Pending(awaited.handle());
        };
    }
}
