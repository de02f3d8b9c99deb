package dev.toolfleet.sessions.topology;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// Stores of one partition.
///
/// `session-messages` has the messages by session and place. `session-index` has, by session: its record; the place of
/// each message; the place of each call's message; requested calls whose message is not there; the message of each
/// pending call; results that wait; and the state of its compactions. It also has the sessions with waiting results and
/// waiting compactions, by the end of the wait, and the sessions of summarisers' calls.
///
/// **Threads.** Used by the thread of its task.
final class SessionStores {
    static final String MESSAGES = "session-messages";
    static final String INDEX = "session-index";
    static final String RECORD = "r";
    private static final WireCodec<SessionRecord> RECORDS = WireCodec.of(SessionRecord.class);
    private static final WireCodec<SessionMessage> BODIES = WireCodec.of(SessionMessage.class);
    private static final WireCodec<ToolCall> CALLS = WireCodec.of(ToolCall.class);
    private static final WireCodec<HeldResult> HELD = WireCodec.of(HeldResult.class);
    private static final WireCodec<PlacedCall> PLACES = WireCodec.of(PlacedCall.class);
    private static final WireCodec<SessionId> IDS = WireCodec.of(SessionId.class);
    private static final WireCodec<CompactionRecord> COMPACTIONS = WireCodec.of(CompactionRecord.class);
    private static final WireCodec<PendingMessage> PENDING = WireCodec.of(PendingMessage.class);
    /// The character behind '/', which ends a range of keys.
    private static final char BEHIND_SLASH = '0';
    private static final int DIGITS = 19;
    /// Records that are kept in memory, of each partition.
    private static final int CACHED = 2_000;
    private static final String DUE = "@due/";
    private static final String COMPACTION_DUE = "@compaction/";
    private static final String SUMMARIZED = "@summary/";
    private static final String SESSION = "@session/";

    private final KeyValueStore<String, byte[]> messages;
    private final KeyValueStore<String, byte[]> index;
    /// Records as the store has them: each event reads its session's several times. A task that is dropped with its
    /// transaction gets new stores, and so an empty map.
    private final Map<SessionId, SessionRecord> records = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<SessionId, SessionRecord> eldest) {
            return size() > CACHED;
        }
    };
    /// No wait of a kind ends before this; absent before the first look.
    private final Map<String, Long> earliest = new HashMap<>();

    /// Message of the model that has a call.
    ///
    /// @param messageId its id
    /// @param made true when the service made the message, since the runtime had written none
    record PlacedCall(String messageId, boolean made) {}

    /// Answer of a pending call.
    ///
    /// @param messageId its message
    /// @param stepId the call's step
    record PendingMessage(String messageId, @Nullable String stepId) {}

    SessionStores(ProcessorContext<?, ?> context) {
        messages = context.getStateStore(MESSAGES);
        index = context.getStateStore(INDEX);
    }

    Optional<SessionRecord> record(SessionId id) {
        SessionRecord known = records.get(id);
        if (known == null) {
            known = Optional.ofNullable(index.get(recordKey(id))).map(RECORDS::read).orElse(null);
            if (known != null)
                records.put(id, known);
        }
        return Optional.ofNullable(known);
    }

    void put(SessionId id, SessionRecord record) {
        records.put(id, record);
        index.put(recordKey(id), RECORDS.write(record));
    }

    static String recordKey(SessionId id) {
        return SESSION + id.prefix() + RECORD;
    }

    static SessionRecord read(byte[] record) {
        return RECORDS.read(record);
    }

    static SessionMessage readMessage(byte[] message) {
        return BODIES.read(message);
    }

    /// The range of a session's messages.
    static String messagesFrom(SessionId id) {
        return id.prefix() + "m/";
    }

    static String messagesTo(SessionId id) {
        return id.prefix() + "m" + BEHIND_SLASH;
    }

    void put(SessionId id, long place, SessionMessage message) {
        messages.put(messageKey(id, place), BODIES.write(message));
        index.put(id.prefix() + "i/" + message.id(), number(place).getBytes(StandardCharsets.US_ASCII));
    }

    Optional<Long> place(SessionId id, String messageId) {
        return Optional.ofNullable(index.get(id.prefix() + "i/" + messageId))
                .map(place -> Long.valueOf(new String(place, StandardCharsets.US_ASCII)));
    }

    SessionMessage message(SessionId id, long place) {
        byte[] bytes = messages.get(messageKey(id, place));
        if (bytes == null)
            throw new IllegalStateException("the index has a message that the store lacks");
        return BODIES.read(bytes);
    }

    /// Returns the messages that fit.
    List<SessionMessage> messages(SessionId id, Predicate<SessionMessage> wanted) {
        List<SessionMessage> found = new ArrayList<>();
        try (KeyValueIterator<String, byte[]> range = messages.range(messagesFrom(id), messagesTo(id))) {
            while (range.hasNext()) {
                SessionMessage message = BODIES.read(range.next().value);
                if (wanted.test(message))
                    found.add(message);
            }
        }
        return found;
    }

    void remove(SessionId id, long place, SessionMessage message) {
        messages.delete(messageKey(id, place));
        index.delete(id.prefix() + "i/" + message.id());
    }

    /// Removes all messages, and the traces of their calls. Waiting results stay.
    void empty(SessionId id) {
        deleteRange(messages, messagesFrom(id), messagesTo(id));
        for (String kind : List.of("c", "i", "k", "p"))
            deleteRange(index, id.prefix() + kind + "/", id.prefix() + kind + BEHIND_SLASH);
    }

    void removeAll(SessionId id) {
        records.remove(id);
        deleteRange(messages, messagesFrom(id), messagesTo(id));
        deleteRange(index, id.prefix(), id.prefix().substring(0, id.prefix().length() - 1) + BEHIND_SLASH);
        index.delete(recordKey(id));
    }

    Optional<PlacedCall> placedCall(SessionId id, @Nullable String stepId, String toolCallId) {
        byte[] placed = index.get(callKey(id, stepId, toolCallId));
        // A runtime may write messages without their step.
        if (placed == null && stepId != null)
            placed = index.get(callKey(id, null, toolCallId));
        return Optional.ofNullable(placed).map(PLACES::read);
    }

    void put(SessionId id, @Nullable String stepId, String toolCallId, PlacedCall call) {
        index.put(callKey(id, stepId, toolCallId), PLACES.write(call));
    }

    Optional<ToolCall> requested(SessionId id, @Nullable String stepId, String toolCallId) {
        return Optional.ofNullable(index.get(requestKey(id, stepId, toolCallId))).map(CALLS::read);
    }

    void putRequested(SessionId id, ToolCall call) {
        index.put(requestKey(id, call.stepId(), call.id()), CALLS.write(call));
    }

    void removeRequested(SessionId id, @Nullable String stepId, String toolCallId) {
        index.delete(requestKey(id, stepId, toolCallId));
    }

    Optional<PendingMessage> pending(SessionId id, String identity) {
        return Optional.ofNullable(index.get(id.prefix() + "p/" + identity)).map(PENDING::read);
    }

    void putPending(SessionId id, String identity, PendingMessage message) {
        index.put(id.prefix() + "p/" + identity, PENDING.write(message));
    }

    void removePending(SessionId id, String identity) {
        index.delete(id.prefix() + "p/" + identity);
    }

    HeldResult held(SessionId id, long number) {
        byte[] bytes = index.get(id.prefix() + "h/" + number(number));
        if (bytes == null)
            throw new IllegalStateException("the session's record counts a result that the store lacks");
        return HELD.read(bytes);
    }

    void hold(SessionId id, long number, HeldResult result) {
        index.put(id.prefix() + "h/" + number(number), HELD.write(result));
    }

    void removeHeld(SessionId id, long number) {
        index.delete(id.prefix() + "h/" + number(number));
    }

    void putDue(long millis, SessionId id) {
        putDue(DUE, millis, id);
    }

    /// Takes the sessions whose wait has ended.
    List<SessionId> takeDue(long millis) {
        return takeDue(DUE, millis);
    }

    private List<SessionId> takeDue(String prefix, long millis) {
        if (earliest.getOrDefault(prefix, 0L) > millis)
            return List.of();
        List<SessionId> due = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        long next = Long.MAX_VALUE;
        String last = prefix + number(millis) + BEHIND_SLASH;
        try (KeyValueIterator<String, byte[]> range = index.range(prefix,
                prefix.substring(0, prefix.length() - 1) + BEHIND_SLASH)) {
            while (range.hasNext()) {
                KeyValue<String, byte[]> one = range.next();
                if (one.key.compareTo(last) >= 0) {
                    next = Long.parseLong(one.key.substring(prefix.length(), prefix.length() + DIGITS));
                    break;
                }
                keys.add(one.key);
                due.add(IDS.read(one.value));
            }
        }
        keys.forEach(index::delete);
        earliest.put(prefix, next);
        return due;
    }

    private void putDue(String prefix, long millis, SessionId id) {
        index.put(prefix + number(millis) + "/" + id.prefix(), IDS.write(id));
        earliest.computeIfPresent(prefix, (kind, known) -> Math.min(known, millis));
    }

    CompactionRecord compaction(SessionId id) {
        byte[] bytes = index.get(id.prefix() + "z");
        return bytes == null ? CompactionRecord.NONE : COMPACTIONS.read(bytes);
    }

    void put(SessionId id, CompactionRecord compaction) {
        index.put(id.prefix() + "z", COMPACTIONS.write(compaction));
    }

    /// Returns the session for which a summariser's call was made.
    Optional<SessionId> summarized(String callId) {
        return Optional.ofNullable(index.get(SUMMARIZED + callId)).map(IDS::read);
    }

    void putSummarized(String callId, SessionId id) {
        index.put(SUMMARIZED + callId, IDS.write(id));
    }

    void removeSummarized(String callId) {
        index.delete(SUMMARIZED + callId);
    }

    void putDueCompaction(long millis, SessionId id) {
        putDue(COMPACTION_DUE, millis, id);
    }

    /// Takes the sessions whose summariser may be over its time.
    List<SessionId> takeDueCompactions(long millis) {
        return takeDue(COMPACTION_DUE, millis);
    }

    /// Returns the messages before a place, oldest first.
    List<SessionMessage> messagesBefore(SessionId id, long place) {
        List<SessionMessage> found = new ArrayList<>();
        if (place <= 0)
            return found;
        try (KeyValueIterator<String, byte[]> range = messages.range(messagesFrom(id), messageKey(id, place - 1))) {
            while (range.hasNext())
                found.add(BODIES.read(range.next().value));
        }
        return found;
    }

    /// Returns the sessions whose record fits.
    List<SessionId> sessions(Predicate<SessionRecord> wanted) {
        List<SessionId> sessions = new ArrayList<>();
        try (KeyValueIterator<String, byte[]> all = index.range(SESSION, "@session" + BEHIND_SLASH)) {
            while (all.hasNext()) {
                SessionRecord record = RECORDS.read(all.next().value);
                if (wanted.test(record))
                    sessions.add(SessionId.of(record.state().instanceKey(), record.state().agentName()));
            }
        }
        return sessions;
    }

    private static void deleteRange(KeyValueStore<String, byte[]> store, String from, String to) {
        List<String> keys = new ArrayList<>();
        try (KeyValueIterator<String, byte[]> range = store.range(from, to)) {
            while (range.hasNext())
                keys.add(range.next().key);
        }
        keys.forEach(store::delete);
    }

    private static String messageKey(SessionId id, long place) {
        return messagesFrom(id) + number(place);
    }

    private static String callKey(SessionId id, @Nullable String stepId, String toolCallId) {
        return id.prefix() + "c/" + step(stepId) + "/" + toolCallId;
    }

    private static String requestKey(SessionId id, @Nullable String stepId, String toolCallId) {
        return id.prefix() + "k/" + step(stepId) + "/" + toolCallId;
    }

    private static String step(@Nullable String stepId) {
        return stepId == null ? "-" : stepId.length() + ":" + stepId;
    }

    private static String number(long number) {
        String digits = Long.toString(number);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }
}
