package dev.toolfleet.cli.approval;

import java.util.List;

import dev.toolfleet.cli.table.View;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.ToolCall;
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
        View.put(json, "agentName", call.agentName());
        View.put(json, "turnId", call.turnId());
        View.put(json, "stepId", call.stepId());
        View.put(json, "userId", call.userId());
        View.put(json, "channelId", call.channelId());
        json.put("createdAt", open.call().createdAt().toString());
        json.put("deadline", open.call().deadline().toString());
        Approval asked = open.call().approval();
        if (asked != null) {
            json.put("rule", asked.rule());
            json.set("rules", Json.MAPPER.valueToTree(asked.rules()));
            json.put("reason", asked.reason());
            json.put("fingerprint", asked.fingerprint());
            View.put(json, "policyDigest", asked.policyDigest());
            json.put("hidden", asked.hidden());
            if (asked.isNamed()) {
                json.put("quorum", asked.needed());
                View.put(json, "notBy", asked.notBy());
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
        View.put(json, "handle", event.handle());
        json.put("state", "ended");
        json.set("event", Json.MAPPER.valueToTree(event));
        return json;
    }
}
