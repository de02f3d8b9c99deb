package dev.toolfleet.worker.call;

import java.time.Instant;
import java.util.List;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.PendingCall;
import tools.jackson.databind.node.ObjectNode;

/// Question about a call that is put to a person.
///
/// @param kind the decision of a person, or an authorization
/// @param until when it expires
/// @param unread operands whose text is not shown
/// @param output what the model and the person read
public record ApprovalQuestion(String handle, PendingCall.Kind kind, Approval approval, Instant until, int unread,
        ObjectNode output) {
    private static final List<String> BOUND = List.of("tool", "arguments", "binds", "operands", "quorum", "notBy",
            "status", "authorizationUrl", "userCode");

    /// True if the reply is this question. A layer may have put something of its own in its place.
    public boolean isAskedBy(ToolReply reply) {
        return reply instanceof ToolReply.Pending pending && handle.equals(pending.handle());
    }

    /// The reply as it may be published: a question shows the call that would run, whatever a layer made of it.
    ToolReply asAsked(ToolReply reply) {
        return reply instanceof ToolReply.Pending pending && isAskedBy(reply) ? asLeft(pending) : reply;
    }

    /// The question as a layer left it. It may add words of its own; what would run stays what was asked about.
    private ToolReply.Pending asLeft(ToolReply.Pending by) {
        ObjectNode kept = by.output() instanceof ObjectNode object ? object.deepCopy() : output.deepCopy();
        BOUND.forEach(kept::remove);
        BOUND.stream().filter(output::has).forEach(field -> kept.set(field, output.get(field)));
        return new ToolReply.Pending(handle, kept, by.heartbeatTimeout(), by.token());
    }
}
