package dev.toolfleet.wire;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import static java.util.Objects.requireNonNull;

/// Answer to a [ToolCall], on `tool.result` in the call's partition. A call with status `pending` gets a second, final
/// result.
///
/// @param toolCallId the call's id
/// @param toolName the call's tool
/// @param status ok, error or pending
/// @param output the tool's output; absent on errors
/// @param handle names a pending call; in a final result, the handle that the call waited for, absent when it waited
///        for none
/// @param error present when status is error
/// @param instanceKey the call's instance; the record's key
/// @param agentName the call's agent
/// @param turnId the call's turn
/// @param stepId the call's step
/// @param attempt the start of the handler, from 1
/// @param replayed true when an earlier result is published again for a duplicate
/// @param fingerprint of the call's name and arguments
/// @param callOffset the call's offset on `tool.call`
/// @param timing the durations of the call
/// @param guard the result guard's changes
/// @param notice a text of the fleet for the model, beside output or error; absent when there is nothing to notice
public record ToolResult(String toolCallId, String toolName, ResultStatus status, @Nullable JsonNode output,
        @Nullable String handle, @Nullable ToolError error, String instanceKey, @Nullable String agentName,
        @Nullable String turnId, @Nullable String stepId, int attempt, boolean replayed, @Nullable String fingerprint,
        long callOffset, @Nullable Timing timing, @Nullable GuardFacts guard, @Nullable String notice) {
    /// Checks that call and status are present.
    public ToolResult {
        requireNonNull(toolCallId, "toolCallId");
        requireNonNull(toolName, "toolName");
        requireNonNull(status, "status");
        requireNonNull(instanceKey, "instanceKey");
    }

    /// Makes a result without a notice.
    public ToolResult(String toolCallId, String toolName, ResultStatus status, @Nullable JsonNode output,
            @Nullable String handle, @Nullable ToolError error, String instanceKey, @Nullable String agentName,
            @Nullable String turnId, @Nullable String stepId, int attempt, boolean replayed,
            @Nullable String fingerprint, long callOffset, @Nullable Timing timing, @Nullable GuardFacts guard) {
        this(toolCallId, toolName, status, output, handle, error, instanceKey, agentName, turnId, stepId, attempt,
                replayed, fingerprint, callOffset, timing, guard, null);
    }

    /// Returns the same with this notice.
    public ToolResult noticed(@Nullable String text) {
        return new ToolResult(toolCallId, toolName, status, output, handle, error, instanceKey, agentName, turnId,
                stepId, attempt, replayed, fingerprint, callOffset, timing, guard, text);
    }

    /// True for a result after which no other follows; false also when this version does not know its status.
    @JsonIgnore
    public boolean isFinal() {
        return status == ResultStatus.OK || status == ResultStatus.ERROR;
    }
}
