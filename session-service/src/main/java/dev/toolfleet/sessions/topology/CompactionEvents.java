package dev.toolfleet.sessions.topology;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.json.Json;
import dev.toolfleet.session.compaction.Compaction;
import dev.toolfleet.session.message.MessageData;
import dev.toolfleet.session.message.ResultMessages;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.wire.MessageCompaction;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.MessageSource;
import dev.toolfleet.wire.SessionMessage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Events that turn the messages of a session into the outcome of its compaction: one as a rule, several when a record
/// cannot hold all of it.
final class CompactionEvents {
    /// A record of the topic holds more; the rest is for key, headers and the summary.
    private static final int ROOM = 700_000;

    private CompactionEvents() {}

    static List<MessageEvent> of(SessionId id, ModelTranscript before, Compaction.Done done, Instant now) {
        Set<Entry> kept = Collections.newSetFromMap(new IdentityHashMap<>());
        kept.addAll(done.entries());
        Map<String, Entry> changed = new HashMap<>();
        Set<Entry> old = Collections.newSetFromMap(new IdentityHashMap<>());
        old.addAll(before.entries());
        Entry summary = null;
        for (Entry entry : done.entries()) {
            if (old.contains(entry) || entry.id() == null)
                continue;
            if (done.summary() != null && entry.content().asString("").equals(done.summary()))
                summary = entry;
            else
                changed.put(entry.id(), entry);
        }
        List<String> removed = new ArrayList<>();
        List<SessionMessage> shortened = new ArrayList<>();
        for (Group group : groups(before)) {
            SessionMessage message = group.message();
            List<Entry> entries = group.entries();
            List<Entry> left = new ArrayList<>();
            for (Entry entry : entries) {
                Entry after = kept.contains(entry) ? entry : changed.get(entry.id());
                if (after != null)
                    left.add(after);
            }
            if (left.isEmpty())
                removed.add(message.id());
            else if (!left.equals(entries))
                shortened.add(with(message, left));
        }
        return events(id, summary == null || removed.isEmpty() ? null : message(summary), removed, shortened, now);
    }

    /// A message and its entries.
    private record Group(SessionMessage message, List<Entry> entries) {}

    /// Returns the messages that the repair left as they are, in the transcript's order. A message that it left out or
    /// changed stays.
    private static List<Group> groups(ModelTranscript before) {
        Map<String, Group> groups = new LinkedHashMap<>();
        for (Entry entry : before.entries()) {
            SessionMessage message = before.message(entry);
            if (message != null)
                groups.computeIfAbsent(message.id(), id -> new Group(message, new ArrayList<>())).entries().add(entry);
        }
        return List.copyOf(groups.values());
    }

    private static SessionMessage with(SessionMessage message, List<Entry> entries) {
        ObjectNode data = MessageData.data(entries.getFirst());
        for (Entry further : entries.subList(1, entries.size())) {
            JsonNode parts = MessageData.data(further).path("content");
            if (data.path("content") instanceof ArrayNode all)
                parts.forEach(all::add);
        }
        return new SessionMessage(message.id(), data, message.metadata(), message.createdAt(), message.source());
    }

    private static SessionMessage message(Entry summary) {
        return new SessionMessage(String.valueOf(summary.id()), MessageData.data(summary), summary.metadata(),
                summary.at(),
                new MessageSource(MessageSource.Type.EXTENSION, null, null, null, ResultMessages.EXTENSION));
    }

    /// The summary stands in the place of the oldest message that it replaces.
    private static List<MessageEvent> events(SessionId id, @Nullable SessionMessage summary, List<String> removed,
            List<SessionMessage> shortened, Instant now) {
        List<MessageEvent> events = new ArrayList<>();
        String target = summary == null ? null : removed.removeFirst();
        SessionMessage first = summary;
        Part part = new Part();
        for (String one : removed) {
            if (part.isFull(one.length())) {
                events.add(event(id, first, target, part, now));
                first = null;
                target = null;
                part = new Part();
            }
            part.removed.add(one);
        }
        for (SessionMessage one : shortened) {
            if (part.isFull(Json.MAPPER.writeValueAsBytes(one).length)) {
                events.add(event(id, first, target, part, now));
                first = null;
                target = null;
                part = new Part();
            }
            part.shortened.add(one);
        }
        if (first != null || !part.removed.isEmpty() || !part.shortened.isEmpty())
            events.add(event(id, first, target, part, now));
        return events;
    }

    private static MessageEvent event(SessionId id, @Nullable SessionMessage summary, @Nullable String target,
            Part part, Instant now) {
        return new MessageEvent(MessageEvent.Type.COMPACTED, id.instanceKey(), id.agentName(), null, null, null,
                summary, target, null, null, ResultIntake.BY, now,
                new MessageCompaction(part.removed, part.shortened));
    }

    private static final class Part {
        private final List<String> removed = new ArrayList<>();
        private final List<SessionMessage> shortened = new ArrayList<>();
        private int bytes;

        boolean isFull(int more) {
            bytes += more + 3;
            return bytes > ROOM && !(removed.isEmpty() && shortened.isEmpty());
        }
    }
}
