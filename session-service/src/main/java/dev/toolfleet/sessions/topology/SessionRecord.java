package dev.toolfleet.sessions.topology;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.wire.AwaitedCall;
import dev.toolfleet.wire.SessionState;
import org.jspecify.annotations.Nullable;

/// Stored state of a session: the published one, and the service's own part.
///
/// @param state the published state
/// @param nextPosition the place of the next message
/// @param currentStep the newest step that has begun
/// @param heldFrom the number of the first held result
/// @param heldTo the number behind the last held result
record SessionRecord(SessionState state, long nextPosition, @Nullable String currentStep, long heldFrom, long heldTo) {
    /// A session without messages so far.
    static SessionRecord empty(SessionId id, Instant now) {
        return new SessionRecord(
                new SessionState(id.instanceKey(), id.agentName(), 0, 0, 0, 0, "safe", null, "", null, 0,
                        now),
                0, null, 0, 0);
    }

    SessionRecord with(SessionState newState) {
        return new SessionRecord(newState, nextPosition, currentStep, heldFrom, heldTo);
    }

    SessionRecord with(SessionState newState, long position) {
        return new SessionRecord(newState, position, currentStep, heldFrom, heldTo);
    }

    /// True for an awaited call that is not marked as requested.
    boolean awaits(String toolCallId, @Nullable String stepId) {
        return state.awaited().stream().anyMatch(call -> !call.requested() && call.isOf(toolCallId, stepId));
    }

    /// Marks an awaited call as requested.
    SessionRecord requested(String toolCallId, @Nullable String stepId) {
        List<AwaitedCall> calls = state.awaited().stream().map(call -> call.isOf(toolCallId, stepId)
                ? new AwaitedCall(call.toolCallId(), call.toolName(), call.stepId(), call.handle(), true)
                : call).toList();
        return with(state.awaiting(calls));
    }

    SessionRecord inStep(String stepId) {
        return new SessionRecord(state, nextPosition, stepId, heldFrom, heldTo);
    }

    SessionRecord holding(long from, long to) {
        return new SessionRecord(state, nextPosition, currentStep, from, to);
    }

    boolean holds() {
        return heldFrom < heldTo;
    }
}
