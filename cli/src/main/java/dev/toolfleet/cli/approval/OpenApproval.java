package dev.toolfleet.cli.approval;

import java.time.Instant;

import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.PendingCall;
import tools.jackson.databind.JsonNode;

/// A call that waits for a person.
///
/// @param call without arguments, message and output
/// @param arguments as a person may see them
record OpenApproval(PendingCall call, JsonNode arguments) {
    /// What a list keeps of a call: the arguments that a person may see stand in the place of its output.
    static PendingCall kept(PendingCall call) {
        PendingCall kept = call.forCall(call.call().bare(), ShownArguments.of(call));
        return ShownArguments.areAsked(call) ? kept : kept.hiding(null);
    }

    /// Of what [#kept] left.
    static OpenApproval ofKept(PendingCall kept) {
        JsonNode arguments = kept.output();
        if (arguments == null)
            throw new IllegalArgumentException("this was not kept");
        return new OpenApproval(kept.forCall(kept.call(), null), arguments);
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
            return "its record does not say whether all of the arguments is shown";
        return hidden == 1
                ? "1 place of the arguments is hidden, a secret of the fleet"
                : hidden + " places of the arguments are hidden, secrets of the fleet";
    }

    boolean isOverdue(Instant now) {
        return !call.deadline().isAfter(now);
    }
}
