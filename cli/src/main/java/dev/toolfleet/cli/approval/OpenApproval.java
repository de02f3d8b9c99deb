package dev.toolfleet.cli.approval;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.PendingCall;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// A call that waits for a person.
///
/// @param call without arguments, message and output
/// @param arguments as a person may see them
/// @param operands files to which the approval is bound, with their texts; empty for none
record OpenApproval(PendingCall call, JsonNode arguments, JsonNode operands) {
    private static final String ARGUMENTS = "arguments";
    private static final String OPERANDS = "operands";

    /// Keeps of a call the parts that a list shows: the shown arguments take the place of its output.
    static PendingCall kept(PendingCall call) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        shown.set(ARGUMENTS, ShownArguments.of(call));
        shown.set(OPERANDS, ShownArguments.operands(call));
        PendingCall kept = call.forCall(call.call().bare(), shown);
        return ShownArguments.areAsked(call) ? kept : kept.hiding(null);
    }

    /// Reads a call that [#kept] made.
    static OpenApproval ofKept(PendingCall kept) {
        JsonNode shown = kept.output();
        if (shown == null)
            throw new IllegalArgumentException("this was not kept");
        return new OpenApproval(kept.forCall(kept.call(), null), shown.path(ARGUMENTS), shown.path(OPERANDS));
    }

    static OpenApproval of(PendingCall whole) {
        return ofKept(kept(whole));
    }

    String handle() {
        return call.handle();
    }

    /// True if a person is shown all that would run.
    boolean isShownWhole() {
        return call.approval() != null && call.approval().isShownWhole();
    }

    /// The number of places that are not shown, as a person reads it.
    String hiddenText() {
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
    String countText() {
        Approval asked = call.approval();
        if (asked == null || !asked.isNamed())
            return "";
        List<String> people = asked.approvedBy() == null ? List.of() : asked.approvedBy();
        return people.size() + " of " + asked.needed() + (asked.needed() == 1 ? " person has" : " people have")
                + " approved" + (people.isEmpty() ? "" : ": " + String.join(", ", people))
                + (asked.notBy() == null ? "" : "; not by the requester, " + asked.notBy());
    }

    boolean isOverdue(Instant now) {
        return !call.deadline().isAfter(now);
    }
}
