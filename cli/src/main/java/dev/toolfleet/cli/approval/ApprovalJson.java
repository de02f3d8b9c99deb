package dev.toolfleet.cli.approval;

import dev.toolfleet.cli.table.View;
import dev.toolfleet.json.Json;
import dev.toolfleet.wire.AuditEvent;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Decided approvals as JSON, for programs.
final class ApprovalJson {
    private ApprovalJson() {}

    static JsonNode of(AuditEvent event) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        View.put(json, "handle", event.handle());
        json.put("state", "ended");
        json.set("event", Json.MAPPER.valueToTree(event));
        return json;
    }
}
