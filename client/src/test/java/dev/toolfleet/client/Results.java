package dev.toolfleet.client;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.identity.CallIdentity;
import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import org.jspecify.annotations.Nullable;

/// Results as a worker writes them.
final class Results {
    private Results() {}

    static ToolResult ok(ToolCall call, long callOffset) {
        return of(call, callOffset, ResultStatus.OK, null, null);
    }

    static ToolResult pending(ToolCall call, long callOffset, String handle) {
        return of(call, callOffset, ResultStatus.PENDING, handle, null);
    }

    static ToolResult error(ToolCall call, long callOffset, ErrorCode code) {
        return of(call, callOffset, ResultStatus.ERROR, null, ToolError.of(code, "as asked"));
    }

    static ToolResult replayed(ToolResult result) {
        return new ToolResult(result.toolCallId(), result.toolName(), result.status(), result.output(),
                result.handle(), result.error(), result.instanceKey(), result.agentName(), result.turnId(),
                result.stepId(), result.attempt(), true, result.fingerprint(), result.callOffset(), null, null);
    }

    static CallIdentity identity(ToolResult result, int partition) {
        return CallIdentity.of(new ToolCall(result.toolCallId(), result.toolName(), Json.MAPPER.createObjectNode(),
                result.instanceKey(), result.agentName(), result.turnId(), result.stepId(), null, null, null, null,
                null, null, null, null), partition, result.callOffset());
    }

    private static ToolResult of(ToolCall call, long callOffset, ResultStatus status, @Nullable String handle,
            @Nullable ToolError error) {
        return new ToolResult(call.id(), call.name(), status, error == null ? call.args() : null, handle, error,
                call.instanceKey(), call.agentName(), call.turnId(), call.stepId(), 1, false,
                Fingerprint.of(call.name(), call.args()), callOffset, null, null);
    }
}
