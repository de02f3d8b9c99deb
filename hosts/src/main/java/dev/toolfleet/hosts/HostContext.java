package dev.toolfleet.hosts;

import java.time.Duration;
import java.time.Instant;

import dev.toolfleet.tool.PendingWork;
import dev.toolfleet.tool.ToolContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Context of a call as hosts get it (`context` in `docs/host-protocol.md`). Pure.
final class HostContext {
    private HostContext() {}

    /// @param attempt the number of this start, from 1
    static ObjectNode of(ToolContext ctx, int attempt, Instant now) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        put(json, "agentName", ctx.agentName());
        json.put("instanceKey", ctx.instanceKey());
        put(json, "turnId", ctx.turnId());
        put(json, "stepId", ctx.stepId());
        put(json, "traceId", ctx.traceId());
        json.put("toolCallId", ctx.toolCallId());
        ObjectNode caller = json.putObject("caller");
        put(caller, "userId", ctx.caller().userId());
        put(caller, "channelId", ctx.caller().channelId());
        json.set("message", message(ctx, now));
        return json.put("workdir", ctx.workdir().toString()).put("deadline", ctx.deadline().toString())
                .put("timeoutMs", Math.max(0, Duration.between(now, ctx.deadline()).toMillis()))
                .put("attempt", attempt).put("idempotencyKey", ctx.idempotencyKey())
                .put("fencingToken", ctx.fencingToken()).put("runtime", ctx.runtime().isPresent());
    }

    /// Returns the message in the shape of the seed (tool API v0.0.3, `message`), also if the caller's has another.
    private static JsonNode message(ToolContext ctx, Instant now) {
        JsonNode given = ctx.message();
        if (given.has("id") && given.has("data"))
            return given;
        ObjectNode message = JsonNodeFactory.instance.objectNode().put("id", "message-" + ctx.toolCallId());
        message.set("data", given);
        message.putObject("metadata");
        message.put("createdAt", now.toString());
        put(message.putObject("source").put("type", "assistant"), "stepId", ctx.stepId());
        return message;
    }

    /// Returns pending work as hosts get it.
    static ObjectNode of(PendingWork work) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("handle", work.handle());
        json.set("input", work.input());
        if (work.output() != null)
            json.set("output", work.output());
        json.put("instanceKey", work.instanceKey());
        put(json, "agentName", work.agentName());
        return json.put("toolCallId", work.toolCallId()).put("startedAt", work.startedAt().toString()).put("deadline",
                work.deadline().toString());
    }

    private static void put(ObjectNode json, String field, @Nullable String value) {
        if (value != null)
            json.put(field, value);
    }
}
