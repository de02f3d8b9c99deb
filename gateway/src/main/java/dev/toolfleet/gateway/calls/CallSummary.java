package dev.toolfleet.gateway.calls;

import java.time.Instant;
import java.util.Comparator;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;

/// Line of a list of calls: a call without its arguments and its output.
///
/// @param id the call's id
/// @param callId the model's tool-call id
/// @param instanceKey its instance
/// @param agentName its agent
/// @param tool the name that the model called
/// @param userId the person for whom the agent acts
/// @param turnId its turn
/// @param stepId its step
/// @param acceptedAt the time at which the broker appended it
/// @param stage its stage
/// @param status the status of its final result; present if and only if the stage is `ended`
/// @param code the code of its error; absent unless it failed
/// @param endedAt the time at which the broker appended its final result; present if and only if the stage is `ended`
/// @param replayed true if its latest result repeats that of an earlier call
public record CallSummary(CallId id, String callId, String instanceKey, @Nullable String agentName, String tool,
        @Nullable String userId, @Nullable String turnId, @Nullable String stepId, Instant acceptedAt, CallStage stage,
        @Nullable ResultStatus status, @Nullable String code, @Nullable Instant endedAt, boolean replayed) {
    /// Order of lists: the newest call first.
    public static final Comparator<CallSummary> NEWEST_FIRST = Comparator.comparing(CallSummary::acceptedAt)
            .thenComparing(CallSummary::id).reversed();

    /// Makes the summary of a call without results.
    public static CallSummary accepted(CallId id, ToolCall call, Instant at) {
        return new CallSummary(id, call.id(), call.instanceKey(), call.agentName(), call.name(), call.userId(),
                call.turnId(), call.stepId(), at, CallStage.ACCEPTED, null, null, null, false);
    }

    /// Returns the same call in another stage before its end.
    ///
    /// @param repeated true if its latest result repeats that of an earlier call
    public CallSummary in(CallStage newStage, boolean repeated) {
        return new CallSummary(id, callId, instanceKey, agentName, tool, userId, turnId, stepId, acceptedAt, newStage,
                null, null, null, repeated);
    }

    /// Returns the same call with its final result.
    ///
    /// @param errorCode absent unless it failed
    /// @param repeated true if the result repeats that of an earlier call
    public CallSummary ended(ResultStatus newStatus, @Nullable String errorCode, Instant at, boolean repeated) {
        return new CallSummary(id, callId, instanceKey, agentName, tool, userId, turnId, stepId, acceptedAt,
                CallStage.ENDED, newStatus, errorCode, at, repeated);
    }

    /// True if the fleet has yet to end it. The duplicate of a call that waits is not open: it repeats the pending
    /// result, and gets no final one of its own.
    @JsonIgnore
    public boolean isOpen() {
        return stage != CallStage.ENDED && !replayed;
    }
}
