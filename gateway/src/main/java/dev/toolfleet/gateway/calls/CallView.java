package dev.toolfleet.gateway.calls;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;

/// State of one call.
///
/// @param id the call's id
/// @param call the call as it was accepted
/// @param acceptedAt the time at which the broker appended it
/// @param stage its stage
/// @param progress its latest progress; absent before the first, and once it has ended
/// @param pending its latest pending result; absent when it has not waited
/// @param waitsFor the wait that is open now; absent when none is, and for the moment in which the pending result has
///        been read and the wait has not
/// @param decisions the decisions about its handles, the earliest first
/// @param result its final result; present if and only if the stage is `ended`
/// @param at id of its latest event
public record CallView(CallId id, ToolCall call, Instant acceptedAt, CallStage stage, @Nullable ToolProgress progress,
        @Nullable ToolResult pending, @Nullable CallWait waitsFor, List<CallDecision> decisions,
        @Nullable ToolResult result, EventId at) {
    /// Copies the decisions.
    public CallView {
        decisions = List.copyOf(decisions);
    }
}
