package dev.toolfleet.wire;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Final error result, for audit and analysis, on `tool.error`. Never holds the arguments.
///
/// One code is no error result but a notice beside another result: [#DIGEST_MISMATCH].
///
/// @param source the declarer of the tool; absent when the call failed before its tool was found
/// @param catalogDigest the content that judged the call; absent when none did
/// @param namedCatalogDigest the content that the call named as its model's; absent when it named none
/// @param handle of the wait whose end failed the call; absent when it waited for none
/// @param sensitive true if the tool accesses sensitive data
/// @param worker the worker that recorded it
public record ToolErrorEvent(String toolCallId, String toolName, @Nullable ToolSource source, ToolError error,
        String instanceKey, @Nullable String agentName, @Nullable String turnId, @Nullable String stepId,
        @Nullable String userId, @Nullable String channelId, int attempt, @Nullable Timing timing,
        @Nullable String fingerprint, @Nullable String catalogDigest, @Nullable String namedCatalogDigest,
        @Nullable String policyDigest, @Nullable String handle, boolean sensitive, @Nullable String traceId,
        String worker, Instant occurredAt) {
    /// The code of a notice: the call ended `ok` or `pending`, and named another catalog than the one that judged it.
    public static final String DIGEST_MISMATCH = "E_CATALOG_DIGEST_MISMATCH";

    /// Makes an error of a call that waited for no handle.
    public ToolErrorEvent(String toolCallId, String toolName, @Nullable ToolSource source, ToolError error,
            String instanceKey, @Nullable String agentName, @Nullable String turnId, @Nullable String stepId,
            @Nullable String userId, @Nullable String channelId, int attempt, @Nullable Timing timing,
            @Nullable String fingerprint, @Nullable String catalogDigest, @Nullable String namedCatalogDigest,
            @Nullable String policyDigest, boolean sensitive, @Nullable String traceId, String worker,
            Instant occurredAt) {
        this(toolCallId, toolName, source, error, instanceKey, agentName, turnId, stepId, userId, channelId, attempt,
                timing, fingerprint, catalogDigest, namedCatalogDigest, policyDigest, null, sensitive, traceId, worker,
                occurredAt);
    }

    /// Checks that call, error and time are present.
    public ToolErrorEvent {
        requireNonNull(toolCallId, "toolCallId");
        requireNonNull(toolName, "toolName");
        requireNonNull(error, "error");
        requireNonNull(instanceKey, "instanceKey");
        requireNonNull(worker, "worker");
        requireNonNull(occurredAt, "occurredAt");
    }
}
