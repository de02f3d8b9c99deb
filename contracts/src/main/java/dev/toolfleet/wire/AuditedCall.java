package dev.toolfleet.wire;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Call of an audit event: enough to find it, without its arguments.
///
/// @param source the declarer of the tool
/// @param fingerprint of its name and arguments
/// @param catalogDigest the catalog content that judged the call
public record AuditedCall(String toolCallId, String toolName, @Nullable ToolSource source, String instanceKey,
        @Nullable String agentName, @Nullable String turnId, @Nullable String stepId, @Nullable String userId,
        @Nullable String channelId, @Nullable String fingerprint, @Nullable String catalogDigest,
        @Nullable String traceId) {

    /// Checks that the call can be found.
    public AuditedCall {
        requireNonNull(toolCallId, "toolCallId");
        requireNonNull(toolName, "toolName");
        requireNonNull(instanceKey, "instanceKey");
    }
}
