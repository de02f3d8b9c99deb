package dev.toolfleet.cli.handle;

import java.util.Locale;

import dev.toolfleet.cli.table.View;
import dev.toolfleet.client.HandleState;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import tools.jackson.databind.node.ObjectNode;

/// States of handles as JSON, for programs. Never the token's hash.
final class HandleJson {
    private HandleJson() {}

    static ObjectNode of(HandleState state) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("handle", state.handle());
        switch (state) {
            case HandleState.Unknown _ -> json.put("state", "unknown");
            case HandleState.Open open -> {
                json.put("state", "open");
                call(json, open.call());
                json.put("heardAt", open.heardAt().toString());
                open.progress().ifPresent(last -> json.set("progress", Json.MAPPER.valueToTree(last.progress())));
            }
            case HandleState.Ended ended -> {
                json.put("state", "ended");
                call(json, ended.call());
                json.put("endedAt", ended.endedAt().toString());
                ended.result().ifPresent(result -> json.set("result", Json.MAPPER.valueToTree(result)));
            }
        }
        return json;
    }

    private static void call(ObjectNode json, PendingCall pending) {
        ToolCall call = pending.call();
        json.put("kind", pending.kind().name().toLowerCase(Locale.ROOT));
        json.put("toolName", call.name());
        json.put("toolCallId", call.id());
        json.put("instanceKey", call.instanceKey());
        View.put(json, "agentName", call.agentName());
        View.put(json, "turnId", call.turnId());
        View.put(json, "stepId", call.stepId());
        json.put("partition", pending.partition());
        json.put("callOffset", pending.callOffset());
        json.put("createdAt", pending.createdAt().toString());
        json.put("deadline", pending.deadline().toString());
        View.put(json, "heartbeatTimeout", pending.heartbeatTimeout());
        View.put(json, "target", pending.target());
        json.put("tokenRequired", pending.tokenHash() != null);
        if (!call.args().isEmpty())
            json.set("args", call.args());
        if (pending.output() != null)
            json.set("output", pending.output());
    }
}
