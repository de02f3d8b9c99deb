package dev.toolfleet.client;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.identity.Fingerprint;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;

/// Pending calls as a worker writes them.
final class PendingCalls {
    private PendingCalls() {}

    static PendingCall at(int partition, long offset, String handle, Instant createdAt) {
        ToolCall call = ToolCall.of("call_" + offset, "builds__start", Json.MAPPER.createObjectNode().put("path", "."),
                "i-" + offset).inStep("coder", "t-1", "step-1", 1);
        return new PendingCall(handle, PendingCall.Kind.ASYNC, call, partition, offset, null, null,
                createdAt.plus(Duration.ofHours(1)), null, null, createdAt, new CallOrigin(
                        Fingerprint.of(call.name(), call.args()), 1, null, createdAt.minusSeconds(1), null));
    }
}
