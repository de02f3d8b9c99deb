package dev.toolfleet.wire;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Journal entry of a call with a pending result that waits for its handle, on `tool.journal` in the place of its
/// intent. It outlives the deduplication window. While it exists, a duplicate starts nothing, and an outcome is
/// awaited.
///
/// @param identity the call's identity
/// @param fingerprint of name and arguments
/// @param handle the handle that the call waits for
/// @param callOffset the call's offset on `tool.call`
/// @param instanceKey the call's instance
/// @param toolCallId the model's id of the call
/// @param agentName the agent whose model called
/// @param turnId the call's turn
/// @param stepId the call's step
/// @param calledAt the time at which the broker appended the call
/// @param tool the declaration that ran and returned the handle; the call may still count for its limits. Null when
///        nothing runs
/// @param asked fingerprint of the arguments in the approval request, as the middlewares left them: an approval of
///        other arguments does not count. Null when work is awaited, and from writers that left it out
public record OpenHandle(String identity, String fingerprint, String handle, long callOffset, String instanceKey,
        String toolCallId, @Nullable String agentName, @Nullable String turnId, @Nullable String stepId,
        Instant calledAt, @Nullable ToolRef tool, @Nullable String asked)
        implements
            JournalEntry,
            CancelCall.Target {
    /// Checks that call, handle and time are present.
    public OpenHandle {
        requireNonNull(identity, "identity");
        requireNonNull(fingerprint, "fingerprint");
        requireNonNull(handle, "handle");
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(toolCallId, "toolCallId");
        requireNonNull(calledAt, "calledAt");
    }

    /// Makes a wait for work.
    public OpenHandle(String identity, String fingerprint, String handle, long callOffset, String instanceKey,
            String toolCallId, @Nullable String agentName, @Nullable String turnId, @Nullable String stepId,
            Instant calledAt, @Nullable ToolRef tool) {
        this(identity, fingerprint, handle, callOffset, instanceKey, toolCallId, agentName, turnId, stepId, calledAt,
                tool, null);
    }

    /// Makes a wait without running work that counts for a tool.
    public OpenHandle(String identity, String fingerprint, String handle, long callOffset, String instanceKey,
            String toolCallId, @Nullable String agentName, @Nullable String turnId, @Nullable String stepId,
            Instant calledAt) {
        this(identity, fingerprint, handle, callOffset, instanceKey, toolCallId, agentName, turnId, stepId, calledAt,
                null, null);
    }

    /// True if it waits for approval.
    public boolean awaitsPerson() {
        return asked != null;
    }

    @Override
    public String key() {
        return identity;
    }
}
