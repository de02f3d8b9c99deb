package dev.toolfleet.cli.handle;

import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;

/// Which calls of an instance a person wants to end.
///
/// @param toolCallId one call; null for all of a step
/// @param stepId of that call, or whose calls; null only with a `toolCallId`
/// @param agentName narrows, where several agents share the instance
/// @param turnId narrows, where step ids repeat
public record CancelTarget(String instanceKey, @Nullable String toolCallId, @Nullable String stepId,
        @Nullable String agentName, @Nullable String turnId) {

    /// Author of a cancellation, and the reason.
    ///
    /// @param by who
    public record Reason(String by, @Nullable String reason) {}

    /// True if that call is one of them.
    boolean means(ToolCall call) {
        return instanceKey.equals(call.instanceKey()) && fits(toolCallId, call.id()) && fits(stepId, call.stepId())
                && fits(agentName, call.agentName()) && fits(turnId, call.turnId());
    }

    /// The record for all of them.
    CancelCall all(Reason why) {
        return new CancelCall(instanceKey, toolCallId, stepId, null, why.by(), why.reason(), agentName, turnId);
    }

    /// The record for that one, named as precisely as it can be, or for its step.
    CancelCall only(ToolCall call, Reason why) {
        return new CancelCall(instanceKey, toolCallId, call.stepId(), null, why.by(), why.reason(), call.agentName(),
                call.turnId());
    }

    /// For messages.
    String text() {
        return (toolCallId == null ? "a call" : "call '" + toolCallId + "'")
                + (stepId == null ? "" : " of step '" + stepId + "'") + " of instance '" + instanceKey + "'"
                + (agentName == null ? "" : ", agent '" + agentName + "'")
                + (turnId == null ? "" : ", turn '" + turnId + "'");
    }

    private static boolean fits(@Nullable String wanted, @Nullable String actual) {
        return wanted == null || wanted.equals(actual);
    }
}
