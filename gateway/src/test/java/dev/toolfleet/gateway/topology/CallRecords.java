package dev.toolfleet.gateway.topology;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolProgress;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/// Records of calls as runtimes, workers and approvers write them.
public final class CallRecords {
    /// Time of the first record.
    public static final Instant START = Instant.parse("2026-11-24T18:00:00Z");

    /// One record.
    ///
    /// @param value null for a tombstone
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Written(Topic topic, String key, byte @Nullable [] value, Headers headers, Instant at) {}

    private CallRecords() {}

    /// Returns a call in a step of an agent.
    public static ToolCall call(String instance, String id) {
        return ToolCall.of(id, "build__run", Json.MAPPER.createObjectNode().put("target", id), instance)
                .inStep("coder", "t1", "s1", 0);
    }

    /// Returns the record of a call.
    public static Written called(ToolCall call, Instant at) {
        return new Written(Topic.CALL, call.instanceKey(), WireCodec.of(ToolCall.class).write(call),
                KafkaHeaders.of(Map.of()), at);
    }

    /// Returns the record of a call with the header of a callback.
    public static Written called(ToolCall call, String callback, Instant at) {
        return new Written(Topic.CALL, call.instanceKey(), WireCodec.of(ToolCall.class).write(call),
                KafkaHeaders.of(Map.of(WireHeaders.CALLBACK, callback)), at);
    }

    /// Returns the record of a result.
    public static Written result(ToolCall call, long callOffset, ResultStatus status, @Nullable String handle,
            Instant at) {
        return result(call, callOffset, status, handle, false, at);
    }

    /// Returns the record of a result.
    public static Written result(ToolCall call, long callOffset, ResultStatus status, @Nullable String handle,
            boolean replayed, Instant at) {
        ToolResult result = new ToolResult(call.id(), call.name(), status,
                status == ResultStatus.OK ? Json.MAPPER.createObjectNode().put("done", call.id()) : null, handle,
                status == ResultStatus.ERROR ? ToolError.of(ErrorCode.E_TOOL, "broken") : null, call.instanceKey(),
                call.agentName(), call.turnId(), call.stepId(), 1, replayed, "sha256:1", callOffset, null, null);
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(WireHeaders.CALL_OFFSET, Long.toString(callOffset));
        if (replayed)
            headers.put(WireHeaders.REPLAYED, "true");
        return new Written(Topic.RESULT, call.instanceKey(), WireCodec.of(ToolResult.class).write(result),
                KafkaHeaders.of(headers), at);
    }

    /// Returns the record of progress.
    public static Written progress(ToolCall call, long callOffset, double percent, Instant at) {
        return new Written(Topic.PROGRESS, call.instanceKey(),
                WireCodec.of(ToolProgress.class).write(new ToolProgress(call.id(), call.name(), null,
                        call.instanceKey(), call.agentName(), call.turnId(), call.stepId(),
                        new Progress(percent, null), at)),
                KafkaHeaders.of(Map.of(WireHeaders.CALL_OFFSET, Long.toString(callOffset))), at);
    }

    /// Returns a pending call; with a rule, one that waits for approval.
    public static PendingCall pending(ToolCall call, int partition, long callOffset, String handle,
            @Nullable String rule, Instant at) {
        return new PendingCall(handle, rule == null ? PendingCall.Kind.ASYNC : PendingCall.Kind.APPROVAL, call,
                partition, callOffset, null, null, at.plus(Duration.ofHours(30)), null, "sha256:secret", at,
                new CallOrigin("sha256:1", 1, null, at, null),
                rule == null
                        ? null
                        : new Approval(rule, List.of(rule), "a person must agree", "sha256:1", null));
    }

    /// Returns the record of a pending call.
    public static Written waits(PendingCall pending, Instant at) {
        return new Written(Topic.PENDING, pending.handle(), WireCodec.of(PendingCall.class).write(pending),
                KafkaHeaders.of(Map.of()), at);
    }

    /// Returns the tombstone of a handle.
    public static Written closed(String handle, Instant at) {
        return new Written(Topic.PENDING, handle, null, KafkaHeaders.of(Map.of()), at);
    }

    /// Returns the record of a decision.
    public static Written decided(Decision decision, Instant at) {
        return new Written(Topic.DECISION, decision.handle(), WireCodec.of(Decision.class).write(decision),
                KafkaHeaders.of(Map.of()), at);
    }

    /// Returns the bytes of a text.
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
