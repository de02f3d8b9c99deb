package dev.toolfleet.cli.approval;

import java.util.List;
import java.util.Objects;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Approvals as JSON, for programs. Never the call's own arguments.
final class ApprovalJson {
    private ApprovalJson() {}

    static ObjectNode of(OpenApproval open) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        ToolCall call = open.call().call();
        json.put("handle", open.handle());
        json.put("state", "open");
        json.put("toolName", call.name());
        json.put("toolCallId", call.id());
        json.put("instanceKey", call.instanceKey());
        put(json, "agentName", call.agentName());
        put(json, "turnId", call.turnId());
        put(json, "stepId", call.stepId());
        put(json, "userId", call.userId());
        put(json, "channelId", call.channelId());
        json.put("createdAt", open.call().createdAt().toString());
        json.put("deadline", open.call().deadline().toString());
        Approval asked = open.call().approval();
        if (asked != null) {
            json.put("rule", asked.rule());
            json.set("rules", Json.MAPPER.valueToTree(asked.rules()));
            json.put("reason", asked.reason());
            json.put("fingerprint", asked.fingerprint());
            put(json, "policyDigest", asked.policyDigest());
            json.put("hidden", asked.hidden());
            if (asked.isNamed()) {
                json.put("quorum", asked.needed());
                put(json, "notBy", asked.notBy());
                json.set("approvedBy",
                        Json.MAPPER.valueToTree(asked.approvedBy() == null ? List.of() : asked.approvedBy()));
            }
        }
        json.set("arguments", open.arguments());
        json.set("operands", open.operands());
        return json;
    }

    static JsonNode of(AuditEvent event) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        put(json, "handle", event.handle());
        json.put("state", "ended");
        json.set("event", Json.MAPPER.valueToTree(event));
        return json;
    }

    private static void put(ObjectNode json, String field, @Nullable Object value) {
        if (value != null)
            json.put(field, Objects.toString(value));
    }
}
