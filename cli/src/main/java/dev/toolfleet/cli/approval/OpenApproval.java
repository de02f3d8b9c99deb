package dev.toolfleet.cli.approval;

import java.time.Instant;

import dev.toolfleet.wire.PendingCall;
import tools.jackson.databind.JsonNode;

/// A call that waits for a person.
///
/// @param call without arguments, message and output
/// @param arguments as a person may see them
record OpenApproval(PendingCall call, JsonNode arguments) {
    /// What a list keeps of a call: the arguments that a person may see stand in the place of its output.
    static PendingCall kept(PendingCall call) {
        return call.forCall(call.call().bare(), ShownArguments.of(call));
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

    boolean isOverdue(Instant now) {
        return !call.deadline().isAfter(now);
    }
}
