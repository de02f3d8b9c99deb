package dev.toolfleet.client;

import dev.toolfleet.wire.ToolCall;

/// Checks of a request before it is sent.
final class RequestChecks {
    private RequestChecks() {}

    static void check(ToolCall call) {
        checkInstance(call.instanceKey());
        if (call.id().isEmpty() || call.name().isEmpty()) {
            throw new IllegalArgumentException("a call needs an id and a tool's name, got id '" + call.id()
                    + "' and name '" + call.name() + "'");
        }
        String key = call.idempotencyKey();
        if (key != null && !ToolCall.isIdempotencyKey(key))
            throw new IllegalArgumentException(
                    "idempotencyKey " + ToolCall.idempotencyKeyRule() + ", got '" + key + "'");
    }

    static void checkInstance(String instanceKey) {
        if (instanceKey.isEmpty())
            throw new IllegalArgumentException("instanceKey is empty; name the conversation that the call belongs to");
        if (instanceKey.length() > ToolCall.MAX_INSTANCE_KEY) {
            throw new IllegalArgumentException("instanceKey has " + instanceKey.length() + " characters, at most "
                    + ToolCall.MAX_INSTANCE_KEY + " are accepted: " + instanceKey.substring(0, 40) + "…");
        }
    }
}
