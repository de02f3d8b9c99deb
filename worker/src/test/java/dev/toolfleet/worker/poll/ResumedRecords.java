package dev.toolfleet.worker.poll;

import java.time.Instant;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;

/// Values on `tool.call.resumed`.
final class ResumedRecords {
    private static final WireCodec<ResumedCall> CODEC = WireCodec.of(ResumedCall.class);

    private ResumedRecords() {}

    static byte[] outcome() {
        ToolCall call = ToolCall.of("c", "t__x", Json.MAPPER.createObjectNode(), "i");
        return CODEC.write(new ResumedCall(call, 4, null, Completion.completed("h", null, null), null, null));
    }

    static byte[] handOver() {
        ToolCall call = ToolCall.of("c", "t__x", Json.MAPPER.createObjectNode(), "i");
        return CODEC.write(ResumedCall.handedOver(call, 4, new HandOver("id", "m", 1, 1, null, null, null)));
    }

    static byte[] grant() {
        ToolCall call = ToolCall.of("c", "t__x", Json.MAPPER.createObjectNode(), "i");
        return CODEC.write(new ResumedCall(call, 4,
                new ResumedCall.Grant("h", "sha256:" + "ab".repeat(32), "r", null, null, null, "ann", Instant.EPOCH),
                null, null, null));
    }
}
