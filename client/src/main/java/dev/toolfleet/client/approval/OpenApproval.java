package dev.toolfleet.client.approval;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.json.Json;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A call that waits for a person.
///
/// @param call without arguments, message and output
/// @param arguments as a person may see them
/// @param operands files to which the approval is bound, with their texts; empty for none
public record OpenApproval(PendingCall call, JsonNode arguments, JsonNode operands) {
    private static final String ARGUMENTS = "arguments";
    private static final String OPERANDS = "operands";

    /// Keeps of a call the parts that a list shows: the shown arguments take the place of its output.
    public static PendingCall kept(PendingCall call) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        shown.set(ARGUMENTS, ShownArguments.of(call));
        shown.set(OPERANDS, ShownArguments.operands(call));
        PendingCall kept = call.forCall(call.call().bare(), shown);
        return ShownArguments.areAsked(call) ? kept : kept.hiding(null);
    }

    /// Reads a call that [#kept] made.
    public static OpenApproval ofKept(PendingCall kept) {
        JsonNode shown = kept.output();
        if (shown == null)
            throw new IllegalArgumentException("this was not kept");
        return new OpenApproval(kept.forCall(kept.call(), null), shown.path(ARGUMENTS), shown.path(OPERANDS));
    }

    /// Returns what a person may see of a call.
    public static OpenApproval of(PendingCall whole) {
        return ofKept(kept(whole));
    }

    /// Returns the handle that a decision names.
    public String handle() {
        return call.handle();
    }

    /// True if a person is shown all that would run.
    public boolean isShownWhole() {
        return call.approval() != null && call.approval().isShownWhole();
    }

    /// The number of places that are not shown, as a person reads it.
    public String hiddenText() {
        Approval asked = call.approval();
        Integer hidden = asked == null ? null : asked.hidden();
        if (hidden == null)
            return "its record does not say whether all of what would run is shown";
        return hidden == 1
                ? "1 place of what would run is hidden, a secret of the fleet or a file without text"
                : hidden + " places of what would run are hidden, secrets of the fleet or files without text";
    }

    /// Count of approvals, such as "1 of 2 people have approved: ann; not u1"; empty where one person, any, may
    /// approve.
    public String countText() {
        Approval asked = call.approval();
        if (asked == null || !asked.isNamed())
            return "";
        List<String> people = asked.approvedBy() == null ? List.of() : asked.approvedBy();
        return people.size() + " of " + asked.needed() + (asked.needed() == 1 ? " person has" : " people have")
                + " approved" + (people.isEmpty() ? "" : ": " + String.join(", ", people))
                + (asked.notBy() == null ? "" : "; not by the requester, " + asked.notBy());
    }

    /// True if the time for a decision is over.
    public boolean isOverdue(Instant now) {
        return !call.deadline().isAfter(now);
    }

    /// Returns it as JSON, for programs; never with the call's own arguments.
    public ObjectNode json() {
        ObjectNode json = Json.MAPPER.createObjectNode();
        ToolCall tool = call.call();
        json.put("handle", handle());
        json.put("state", "open");
        json.put("toolName", tool.name());
        json.put("toolCallId", tool.id());
        json.put("instanceKey", tool.instanceKey());
        put(json, "agentName", tool.agentName());
        put(json, "turnId", tool.turnId());
        put(json, "stepId", tool.stepId());
        put(json, "userId", tool.userId());
        put(json, "channelId", tool.channelId());
        json.put("createdAt", call.createdAt().toString());
        json.put("deadline", call.deadline().toString());
        Approval asked = call.approval();
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
        json.set("arguments", arguments);
        json.set("operands", operands);
        return json;
    }

    private static void put(ObjectNode json, String field, @Nullable String value) {
        if (value != null)
            json.put(field, value);
    }
}
