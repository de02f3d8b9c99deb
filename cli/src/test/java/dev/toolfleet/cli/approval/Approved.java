package dev.toolfleet.cli.approval;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;

/// Calls that wait for a person, as tests use them.
final class Approved {
    static final Approval ASKED = new Approval("acme/production/look", List.of("acme/production/look",
            "finance-safety/isTransactional"), "A person looks at sales first.", "sha256:aa", "sha256:bb").hiding(0);

    private Approved() {}

    static ToolCall call(String id, String instance) {
        ToolCall call = ToolCall.of(id, "market__sell", Json.MAPPER.readTree("""
                {"symbol": "ACME", "amount": 100, "apiKey": "sk-12345678"}"""), instance);
        return new ToolCall(call.id(), call.name(), call.args(), instance, "trader", "t-1", "s-1", 1, null, "ann", null,
                null, null, null, null);
    }

    static PendingCall waiting(String handle, ToolCall call, long offset, Instant created) {
        return waiting(handle, call, offset, created, ASKED, """
                {"approval": "required", "arguments": {"symbol": "ACME", "amount": 100, "apiKey": "sk-12345678"}}""");
    }

    static PendingCall waiting(String handle, ToolCall call, long offset, Instant created, @Nullable Approval asked,
            @Nullable String output) {
        return new PendingCall(handle, PendingCall.Kind.APPROVAL, call, 1, offset, null,
                output == null ? null : Json.MAPPER.readTree(output), created.plus(Duration.ofMinutes(5)), null, null,
                created, null, asked);
    }
}
