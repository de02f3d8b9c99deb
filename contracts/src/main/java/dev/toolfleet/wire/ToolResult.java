package dev.toolfleet.wire;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import static java.util.Objects.requireNonNull;

/// The answer to a [ToolCall], on `tool.result` in the call's partition. A call with status `pending` gets a second,
/// final result.
///
/// @param toolCallId the call's id
/// @param toolName the call's tool
/// @param status ok, error or pending
/// @param output what the tool returned; absent on errors
/// @param handle names a pending call; of a final result, what the call waited for, and absent when it waited for nothing
/// @param error present when status is error
/// @param instanceKey the call's instance; the record's key
/// @param agentName the call's agent
/// @param turnId the call's turn
/// @param stepId the call's step
/// @param attempt which start of the handler this is, from 1
/// @param replayed true when an earlier result is published again for a duplicate
/// @param fingerprint of the call's name and arguments
/// @param callOffset the call's offset on `tool.call`
/// @param timing where the time went
/// @param guard what the result guard did
public record ToolResult(String toolCallId, String toolName, ResultStatus status, @Nullable JsonNode output,
        @Nullable String handle, @Nullable ToolError error, String instanceKey, @Nullable String agentName,
        @Nullable String turnId, @Nullable String stepId, int attempt, boolean replayed, @Nullable String fingerprint,
        long callOffset, @Nullable Timing timing, @Nullable GuardFacts guard) {
    /// Checks that the result says which call it answers and how.
    public ToolResult {
        requireNonNull(toolCallId, "toolCallId");
        requireNonNull(toolName, "toolName");
        requireNonNull(status, "status");
        requireNonNull(instanceKey, "instanceKey");
    }

    /// True for a result after which no other follows; false also when this version does not know its status.
    @JsonIgnore
    public boolean isFinal() {
        return status == ResultStatus.OK || status == ResultStatus.ERROR;
    }
}
