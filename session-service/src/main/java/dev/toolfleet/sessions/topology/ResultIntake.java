package dev.toolfleet.sessions.topology;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.toolfleet.session.message.ResultMessages;
import dev.toolfleet.sessions.topology.SessionStores.PendingMessage;
import dev.toolfleet.wire.MessageEvent;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.SessionMessage;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;

/// Results of one partition on their way to their sessions.
///
/// **Contract.** The results of a session become events in the order of their arrival. A result waits until the message
/// with its call is in the session. When it does not come in time, the service makes that message from the call.
///
/// **Threads.** Used by the thread of its task.
///
/// **Why.** A model refuses a transcript in which a result stands before its call. Runtime and worker write different
/// topics, so the result may be read first.
final class ResultIntake {
    /// The writer of its events.
    static final String BY = "session-service";

    private final SessionStores stores;
    private final Duration messageWait;

    ResultIntake(SessionStores stores, Duration messageWait) {
        this.stores = stores;
        this.messageWait = messageWait;
    }

    /// Notes that a call stands on `tool.call`. The call is kept until a message with it is in the session.
    void requested(ToolCall call, Instant now) {
        SessionId id = SessionId.of(call.instanceKey(), call.agentName());
        if (stores.placedCall(id, call.stepId(), call.id()).isEmpty()) {
            stores.putRequested(id, call);
            // Only sessions with a record expire.
            if (stores.record(id).isEmpty())
                stores.put(id, SessionRecord.empty(id, now));
        } else {
            stores.record(id).filter(record -> record.awaits(call.id(), call.stepId()))
                    .ifPresent(record -> stores.put(id, record.requested(call.id(), call.stepId())));
        }
    }

    /// Notes the newest step: final results of earlier ones are news.
    void started(SessionId id, String stepId, Instant now) {
        SessionRecord record = stores.record(id).orElseGet(() -> SessionRecord.empty(id, now));
        if (!stepId.equals(record.currentStep()))
            stores.put(id, record.inStep(stepId));
    }

    /// Takes a result.
    ///
    /// @param identity the call's identity
    /// @return the events to write, in their order
    List<MessageEvent> take(String identity, ToolResult result, Instant now) {
        SessionId id = SessionId.of(result.instanceKey(), result.agentName());
        SessionRecord record = stores.record(id).orElseGet(() -> SessionRecord.empty(id, now));
        if (!record.holds() && stores.placedCall(id, result.stepId(), result.toolCallId()).isPresent())
            return List.of(answer(id, record, new HeldResult(identity, result, now), now));
        stores.hold(id, record.heldTo(), new HeldResult(identity, result, now));
        SessionRecord holding = record.holding(record.heldFrom(), record.heldTo() + 1);
        stores.put(id, holding);
        List<MessageEvent> events = release(id, now);
        // Later results of a waiting session have the wait of their own.
        if (stores.record(id).orElseThrow().holds())
            stores.putDue(now.plus(messageWait).toEpochMilli(), id);
        return events;
    }

    /// Returns the events of results whose call's message is there, or whose wait has ended.
    List<MessageEvent> release(SessionId id, Instant now) {
        List<MessageEvent> events = new ArrayList<>();
        SessionRecord record = stores.record(id).orElse(null);
        if (record == null || !record.holds())
            return events;
        long number = record.heldFrom();
        for (; number < record.heldTo(); number++) {
            HeldResult held = stores.held(id, number);
            ToolResult result = held.result();
            if (stores.placedCall(id, result.stepId(), result.toolCallId()).isEmpty()) {
                if (now.isBefore(held.since().plus(messageWait)))
                    break;
                events.add(event(id, result, ResultMessages.call(held.identity(), result,
                        stores.requested(id, result.stepId(), result.toolCallId()).orElse(null), now)));
            }
            events.add(answer(id, record, held, now));
            stores.removeHeld(id, number);
        }
        if (number != record.heldFrom())
            stores.put(id, record.holding(number, record.heldTo()));
        return events;
    }

    /// Returns the events of all sessions whose wait has ended.
    List<MessageEvent> due(Instant now) {
        List<MessageEvent> events = new ArrayList<>();
        for (SessionId id : stores.takeDue(now.toEpochMilli()))
            events.addAll(release(id, now));
        return events;
    }

    private MessageEvent answer(SessionId id, SessionRecord record, HeldResult held, Instant now) {
        ToolResult result = held.result();
        if (result.status() == ResultStatus.PENDING) {
            SessionMessage message = ResultMessages.answer(held.identity(), 1, result, now);
            stores.putPending(id, held.identity(), new PendingMessage(message.id(), result.stepId()));
            return event(id, result, message);
        }
        Optional<PendingMessage> pending = stores.pending(id, held.identity());
        if (pending.isEmpty())
            return event(id, result, ResultMessages.answer(held.identity(), 1, result, now));
        stores.removePending(id, held.identity());
        String current = record.currentStep();
        if (current == null || current.equals(pending.get().stepId())) {
            return new MessageEvent(MessageEvent.Type.REPLACE, id.instanceKey(), id.agentName(), result.turnId(),
                    result.stepId(), null, ResultMessages.answer(held.identity(), 2, result, now),
                    pending.get().messageId(), null, null, BY, now);
        }
        return event(id, result, ResultMessages.news(held.identity(), result, now));
    }

    private static MessageEvent event(SessionId id, ToolResult result, SessionMessage message) {
        return new MessageEvent(MessageEvent.Type.APPEND, id.instanceKey(), id.agentName(), result.turnId(),
                result.stepId(), null, message, null, null, null, BY, message.createdAt());
    }
}
