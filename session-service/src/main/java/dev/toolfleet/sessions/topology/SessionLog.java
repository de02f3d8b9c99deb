package dev.toolfleet.sessions.topology;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.toolfleet.json.Digests;
import dev.toolfleet.session.message.MessageData;
import dev.toolfleet.session.message.MessageFold;
import dev.toolfleet.session.message.ResultMessages;
import dev.toolfleet.session.tokens.TokenCounter;
import dev.toolfleet.session.transcript.Call;
import dev.toolfleet.session.transcript.Entry;
import dev.toolfleet.session.window.Breakdown;
import dev.toolfleet.session.window.WindowState;
import dev.toolfleet.sessions.topology.AgentContexts.AgentContext;
import dev.toolfleet.sessions.topology.SessionStores.PlacedCall;
import dev.toolfleet.wire.AwaitedCall;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.MessageCompaction;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.SessionLease;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.SessionReport;
import dev.toolfleet.wire.SessionState;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;

/// Messages of the sessions of one partition: applies events to the stores.
///
/// **Threads.** Used by the thread of its task.
final class SessionLog {
    /// Characters of the awaited calls' names: a state must fit into a record.
    private static final int MAX_AWAITED_CHARACTERS = 100_000;

    private final SessionStores stores;
    private final AgentContexts contexts;
    private final TokenCounter counter = TokenCounter.STANDARD;

    /// Outcome of an event.
    ///
    /// @param record the session now; absent when nothing has changed
    /// @param report the report for readers
    /// @param refusal the reason for a dead letter
    /// @param calls true when the session has got a message with calls
    /// @param cancelled calls that waited for an approval when the session was emptied
    /// @param compact true when the event requested a compaction
    record Applied(Optional<SessionRecord> record, Optional<SessionReport> report, Optional<String> refusal,
            boolean calls, List<CancelCall> cancelled, boolean compact) {
        static final Applied NOTHING = new Applied(Optional.empty(), Optional.empty(), Optional.empty(), false,
                List.of(), false);
        static final Applied REQUESTED = new Applied(Optional.empty(), Optional.empty(), Optional.empty(), false,
                List.of(), true);
    }

    SessionLog(SessionStores stores, AgentContexts contexts) {
        this.stores = stores;
        this.contexts = contexts;
    }

    /// Applies an event.
    ///
    /// @param bytes the event's record, for the digest
    /// @param now the time of the record
    Applied apply(MessageEvent event, byte[] bytes, Instant now) {
        SessionId id = SessionId.of(event.instanceKey(), event.agentName());
        SessionRecord record = stores.record(id).orElseGet(() -> SessionRecord.empty(id, now));
        MessageFold.Change change = MessageFold.decide(record.state(), event,
                message -> stores.place(id, message).isPresent(), now);
        Change draft = new Change(id, record, event, now);
        return switch (change) {
            case MessageFold.Added added -> draft.added(added.message(), bytes);
            case MessageFold.Replaced replaced -> draft.replaced(replaced.targetId(), replaced.message(), bytes);
            case MessageFold.Removed removed -> draft.removed(removed.targetId(), bytes);
            case MessageFold.Emptied emptied -> draft.emptied(bytes);
            case MessageFold.Compacted compacted -> draft.compacted(compacted, bytes);
            case MessageFold.CompactionRequested requested -> Applied.REQUESTED;
            case MessageFold.Leased leased -> draft.leased(leased.lease());
            case MessageFold.Repeated repeated -> Applied.NOTHING;
            case MessageFold.TargetMissing missing -> draft.report("target-not-found", MessageFold.TARGET_NOT_FOUND,
                    "the session has no message '" + missing.targetId() + "'", Optional.empty());
            case MessageFold.Refused refused -> draft.report("refused", MessageFold.CONFLICT, refused.reason(),
                    Optional.of(MessageFold.CONFLICT + ": " + refused.reason()));
        };
    }

    /// Change of one session by one event.
    private final class Change {
        private final SessionId id;
        private final SessionRecord before;
        private final MessageEvent event;
        private final Instant now;
        private final List<AwaitedCall> awaited;
        private long messages;
        private long tokens;
        /// Calls of messages that were taken out, which have their results: their new message does not open them again.
        private final Set<String> answered = new HashSet<>();
        private boolean calls;
        private List<CancelCall> cancelled = List.of();

        Change(SessionId id, SessionRecord before, MessageEvent event, Instant now) {
            this.id = id;
            this.before = before;
            this.event = event;
            this.now = now;
            awaited = new ArrayList<>(before.state().awaited());
            messages = before.state().messages();
            tokens = before.state().tokens();
        }

        Applied added(SessionMessage message, byte[] bytes) {
            List<Entry> entries = MessageData.entries(message);
            List<String> made = madeFor(message, callsOf(entries));
            if (made.isEmpty()) {
                put(before.nextPosition(), message, entries);
                return done(before.nextPosition() + 1, bytes);
            }
            long place = stores.place(id, made.getFirst()).orElseThrow();
            made.forEach(one -> take(stores.place(id, one).orElseThrow()));
            put(place, message, entries);
            return done(before.nextPosition(), bytes);
        }

        Applied replaced(String targetId, SessionMessage message, byte[] bytes) {
            exchange(targetId, message);
            return done(before.nextPosition(), bytes);
        }

        Applied removed(String targetId, byte[] bytes) {
            take(stores.place(id, targetId).orElseThrow());
            return done(before.nextPosition(), bytes);
        }

        Applied compacted(MessageFold.Compacted compacted, byte[] bytes) {
            MessageCompaction messages = compacted.messages();
            messages.removed().forEach(one -> take(stores.place(id, one).orElseThrow()));
            for (SessionMessage message : messages.shortened())
                exchange(message.id(), message);
            if (compacted.targetId() != null && compacted.summary() != null)
                exchange(compacted.targetId(), compacted.summary());
            return done(before.nextPosition(), bytes);
        }

        private void exchange(String targetId, SessionMessage message) {
            long place = stores.place(id, targetId).orElseThrow();
            take(place);
            put(place, message, MessageData.entries(message));
        }

        Applied emptied(byte[] bytes) {
            Set<String> open = awaited.stream().map(AwaitedCall::handle).filter(Objects::nonNull)
                    .collect(Collectors.toSet());
            if (!open.isEmpty())
                cancelled = stores.messages(id, SessionLog::asksForApproval).stream().map(SessionLog::handle)
                        .filter(open::contains).map(this::cancelled).toList();
            stores.empty(id);
            awaited.clear();
            messages = 0;
            tokens = 0;
            return done(0, bytes);
        }

        private CancelCall cancelled(String handle) {
            return new CancelCall(id.instanceKey(), null, null, handle, event.by(), "the session was truncated", null,
                    null);
        }

        Applied leased(@Nullable SessionLease lease) {
            SessionState state = before.state();
            SessionState leased = new SessionState(state.instanceKey(), state.agentName(), state.seq(),
                    state.messages(),
                    state.tokens(), state.usableTokens(), state.status(), state.openCalls(), state.digest(), lease,
                    lease == null ? state.lastToken() : lease.token(), now);
            return changed(before.with(leased), Optional.empty());
        }

        Applied report(String kind, String code, String text, Optional<String> refusal) {
            ObjectNode detail = JsonNodeFactory.instance.objectNode().put("type", event.type().name().toLowerCase(
                    Locale.ROOT)).put("by", event.by());
            return new Applied(Optional.empty(),
                    Optional.of(new SessionReport(id.instanceKey(), id.agentName(), kind, code,
                            text, before.state().seq(), detail, now)),
                    refusal, false, List.of(), false);
        }

        /// The messages that the service made for the same calls, since the runtime's came too late.
        private List<String> madeFor(SessionMessage message, List<Call> itsCalls) {
            return itsCalls.stream()
                    .flatMap(call -> stores.placedCall(id, step(message), call.id()).stream())
                    .filter(PlacedCall::made).map(PlacedCall::messageId).distinct()
                    .filter(made -> !made.equals(message.id()) && stores.place(id, made).isPresent()).toList();
        }

        private void put(long place, SessionMessage message, List<Entry> entries) {
            stores.put(id, place, message);
            messages++;
            tokens += counter.entries(entries);
            Optional<String> answeredCall = ResultMessages.answeredCall(message);
            if (answeredCall.isPresent()) {
                answer(message, answeredCall.get());
                return;
            }
            boolean made = message.metadata() != null && message.metadata().has(ResultMessages.FROM);
            for (Call call : callsOf(entries)) {
                calls = true;
                stores.put(id, step(message), call.id(), new PlacedCall(message.id(), made));
                boolean requested = stores.requested(id, step(message), call.id()).isPresent();
                stores.removeRequested(id, step(message), call.id());
                if (!answered.contains(call.id()) && fits(call))
                    awaited.add(new AwaitedCall(call.id(), call.toolName(), step(message), null, requested || made));
            }
        }

        private void take(long place) {
            SessionMessage message = stores.message(id, place);
            stores.remove(id, place, message);
            messages--;
            List<Entry> entries = MessageData.entries(message);
            tokens -= counter.entries(entries);
            for (Call call : callsOf(entries)) {
                if (!awaited.removeIf(one -> one.isOf(call.id(), step(message))))
                    answered.add(call.id());
            }
        }

        private void answer(SessionMessage message, String callId) {
            ObjectNode metadata = message.metadata();
            String handle = metadata != null && metadata.path(ResultMessages.PENDING).asBoolean(false)
                    ? metadata.path(ResultMessages.HANDLE).asString("")
                    : null;
            for (int n = 0; n < awaited.size(); n++) {
                AwaitedCall one = awaited.get(n);
                if (!one.isOf(callId, message.source().stepId()))
                    continue;
                if (handle != null) {
                    awaited.set(n, new AwaitedCall(one.toolCallId(), one.toolName(), one.stepId(), handle,
                            true));
                } else {
                    awaited.remove(n);
                }
                return;
            }
        }

        private boolean fits(Call call) {
            int characters = call.id().length() + call.toolName().length();
            for (AwaitedCall one : awaited)
                characters += one.toolCallId().length() + one.toolName().length();
            return characters <= MAX_AWAITED_CHARACTERS;
        }

        private @Nullable String step(SessionMessage message) {
            return message.source().stepId() == null ? event.stepId() : message.source().stepId();
        }

        private Applied done(long nextPosition, byte[] bytes) {
            SessionState state = before.state();
            AgentContext context = contexts.of(id.agentName());
            WindowState use = context.guard().evaluateAfter(new Breakdown(context.promptTokens(), 0, tokens, 0, 0),
                    context.window(), status(state));
            String status = use.status().name().toLowerCase(Locale.ROOT);
            SessionState next = new SessionState(id.instanceKey(), id.agentName(), state.seq() + 1, messages, tokens,
                    use.effectiveTokens(), status, awaited.isEmpty() ? null : awaited, digest(state.digest(), bytes),
                    state.lease(),
                    state.lastToken(), now);
            Optional<SessionReport> report = status.equals(state.status())
                    ? Optional.empty()
                    : Optional.of(new SessionReport(id.instanceKey(), id.agentName(), "window", null,
                            "the messages have " + tokens + " tokens" + (context.promptTokens() == 0
                                    ? ""
                                    : ", and the prompt " + context.promptTokens()) + ": " + state.status() + " became "
                                    + status,
                            next.seq(),
                            JsonNodeFactory.instance.objectNode().put("status", status).put("tokens", tokens)
                                    .put("maxTokens", use.maxTokens()),
                            now));
            return changed(before.with(next, nextPosition), report);
        }

        private Applied changed(SessionRecord record, Optional<SessionReport> report) {
            stores.put(id, record);
            return new Applied(Optional.of(record), report, Optional.empty(), calls, cancelled, false);
        }
    }

    private static WindowState.Status status(SessionState state) {
        return WindowState.Status.valueOf(state.status().toUpperCase(Locale.ROOT));
    }

    private static List<Call> callsOf(List<Entry> entries) {
        return entries.stream().flatMap(entry -> entry.calls().stream()).toList();
    }

    private static boolean asksForApproval(SessionMessage message) {
        return message.metadata() != null && message.metadata().path(ResultMessages.APPROVAL).asBoolean(false);
    }

    private static String handle(SessionMessage message) {
        return requireNonNull(message.metadata()).path(ResultMessages.HANDLE).asString("");
    }

    private static String digest(String before, byte[] bytes) {
        MessageDigest digest = Digests.newSha256();
        digest.update(before.getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
        return Digests.of(digest.digest());
    }
}
