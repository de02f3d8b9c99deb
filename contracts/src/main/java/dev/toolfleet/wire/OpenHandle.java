package dev.toolfleet.wire;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// A call has a pending result and waits for its handle, on `tool.journal` in the place of its intent. Outlives the
/// deduplication window: as long as it stands there, a duplicate starts nothing, and an outcome is awaited.
///
/// @param identity the call's identity
/// @param fingerprint of name and arguments
/// @param handle what the call waits for
/// @param callOffset the call's offset on `tool.call`
/// @param instanceKey the call's instance
/// @param toolCallId the model's id of the call
/// @param agentName the agent whose model called
/// @param turnId the call's turn
/// @param stepId the call's step
/// @param calledAt when the broker appended the call
/// @param tool which declaration ran and answered with the handle, whose limits it may still count for; null when
/// nothing runs
/// @param asked fingerprint of the arguments that a person is asked to approve, as the middlewares left them: no approval
/// of others counts; null when work is awaited, and from writers that did not keep it
public record OpenHandle(String identity, String fingerprint, String handle, long callOffset, String instanceKey,
        String toolCallId, @Nullable String agentName, @Nullable String turnId, @Nullable String stepId,
        Instant calledAt, @Nullable ToolRef tool, @Nullable String asked)
        implements
            JournalEntry,
            CancelCall.Target {
    /// Checks that the entry names call, handle and time.
    public OpenHandle {
        requireNonNull(identity, "identity");
        requireNonNull(fingerprint, "fingerprint");
        requireNonNull(handle, "handle");
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(toolCallId, "toolCallId");
        requireNonNull(calledAt, "calledAt");
    }

    /// A wait for work.
    public OpenHandle(String identity, String fingerprint, String handle, long callOffset, String instanceKey,
            String toolCallId, @Nullable String agentName, @Nullable String turnId, @Nullable String stepId,
            Instant calledAt, @Nullable ToolRef tool) {
        this(identity, fingerprint, handle, callOffset, instanceKey, toolCallId, agentName, turnId, stepId, calledAt,
                tool, null);
    }

    /// A wait while nothing runs that counts for a tool.
    public OpenHandle(String identity, String fingerprint, String handle, long callOffset, String instanceKey,
            String toolCallId, @Nullable String agentName, @Nullable String turnId, @Nullable String stepId,
            Instant calledAt) {
        this(identity, fingerprint, handle, callOffset, instanceKey, toolCallId, agentName, turnId, stepId, calledAt,
                null, null);
    }

    /// Whether it waits for a person.
    public boolean awaitsPerson() {
        return asked != null;
    }

    @Override
    public String key() {
        return identity;
    }
}
