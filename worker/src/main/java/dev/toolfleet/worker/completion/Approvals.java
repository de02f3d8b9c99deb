package dev.toolfleet.worker.completion;

import java.util.List;
import java.util.stream.Stream;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall.Grant;
import dev.toolfleet.wire.ToolError;
import org.jspecify.annotations.Nullable;

/// Rules for calls that wait for a person (`docs/decisions/0030-how-approvals-end.md`). Pure.
final class Approvals {
    private Approvals() {}

    /// Handles a decision about an open call.
    static Step decided(Open open, Told.Decided told, Moment at) {
        PendingCall call = open.call();
        if (call.kind() != PendingCall.Kind.APPROVAL)
            return Step.of(open, new Effect.Letter(told.raw(), Refusal.WRONG_KIND));
        // Deadlines are checked twice a second, and after an outage later. Otherwise: a decision takes effect between
        // the deadline and its check.
        if (Due.at(call.deadline(), Due.What.DEADLINE).isReached(at.now())) {
            Step expired = expired(call, at);
            return expired.and(new Effect.Letter(told.raw(), Refusal.LATE));
        }
        Decision decision = told.decision().kept();
        return switch (decision.decision()) {
            case APPROVE -> call.approval() == null
                    ? ungrantable(call, decision, at)
                    : approve(open, call.approval(), decision, told.raw(), at);
            case REJECT -> rejected(call, decision, at);
        };
    }

    /// Ends a call about which no person decided in time.
    static Step expired(PendingCall call, Moment at) {
        String message = "No person decided about the call by " + call.deadline() + ".";
        return ended(call, Ending.EXPIRED, ToolError.of(ErrorCode.E_TOOL_APPROVAL_EXPIRED, message), at,
                new Effect.Audit(call, Effect.Decided.EXPIRED, null, message));
    }

    /// Approves a call. If parts of it were hidden, the decision must say that it includes them.
    private static Step approve(Open open, Approval asked, Decision decision, Raw raw, Moment at) {
        PendingCall call = open.call();
        if (!asked.isShownWhole() && !Boolean.TRUE.equals(decision.despiteHidden()))
            return refused(open, decision, raw, Refusal.HIDDEN, hidden(asked));
        return asked.isNamed()
                ? named(open, asked, decision, raw, at)
                : approved(call, grant(call, asked, decision, null, at), decision, at);
    }

    /// Counts a person once. The count is part of the handle's state, so it moves with its partition, and a decision
    /// that is read again finds itself counted.
    private static Step named(Open open, Approval asked, Decision decision, Raw raw, Moment at) {
        PendingCall call = open.call();
        String by = decision.by();
        if (by == null)
            return refused(open, decision, raw, Refusal.NAMELESS,
                    "the approval names no approver, and the rule requires one");
        if (by.equals(asked.notBy()))
            return refused(open, decision, raw, Refusal.REQUESTER,
                    by + " is the user for whom the call is made, and the rule requires another person");
        if (open.people().contains(by))
            return refused(open, decision, raw, Refusal.COUNTED, by + " has approved already and is counted once; "
                    + open.people().size() + " of " + asked.needed() + " people have approved");
        List<String> people = Stream.concat(open.people().stream(), Stream.of(by)).toList();
        if (people.size() >= asked.needed())
            return approved(call, grant(call, asked, decision, people, at), decision, at);
        return Step.of(open.approvedBy(people), new Effect.ShowCount(call, people), new Effect.Audit(call,
                Effect.Decided.COUNTED, by, decision.reason(), people.size()));
    }

    private static String hidden(Approval asked) {
        return (asked.hidden() == null
                ? "the question does not record whether all of it is shown"
                : asked.hidden() + " places of the question are not shown")
                + ", and the approval does not set despiteHidden";
    }

    /// Refuses a decision: it changes nothing, an audit event reports it, and the call waits on.
    private static Step refused(Open open, Decision decision, Raw raw, Refusal why, String reason) {
        return Step.of(open, new Effect.Letter(raw, why),
                new Effect.Audit(open.call(), Effect.Decided.REFUSED, decision.by(), reason, open.people().size()));
    }

    private static Step approved(PendingCall call, Grant grant, Decision decision, Moment at) {
        return Step.of(Ended.of(call, Ending.APPROVED, at.now(), null),
                new Effect.Approved(call, grant), new Effect.Tombstone(),
                new Effect.Audit(call, Effect.Decided.APPROVED, decision.by(), decision.reason(),
                        grant.people().size()));
    }

    /// Makes a grant bound to the question that was asked, whatever the decision's record claims.
    ///
    /// @param people the people who approved; null where names do not count
    private static Grant grant(PendingCall call, Approval asked, Decision decision, @Nullable List<String> people,
            Moment at) {
        boolean one = asked.rules().isEmpty() || asked.rules().equals(List.of(asked.rule()));
        return new Grant(call.handle(), asked.fingerprint(), asked.rule(), one ? null : asked.rules(),
                asked.policyDigest(), call.catalogDigest(), decision.by(), at.now(), asked.operands(), people);
    }

    private static Step rejected(PendingCall call, Decision decision, Moment at) {
        String by = decision.by() == null ? "A person rejected the call" : "The call was rejected by " + decision.by();
        String why = decision.reason() == null ? "." : ": " + decision.reason();
        return ended(call, Ending.REJECTED, ToolError.of(ErrorCode.E_TOOL_APPROVAL_REJECTED, by + why), at,
                new Effect.Audit(call, Effect.Decided.REJECTED, decision.by(), decision.reason()));
    }

    /// Denies an approved call that no worker of this fleet announced: its record names no rule that the approval could
    /// answer, and no arguments that the person saw.
    private static Step ungrantable(PendingCall call, Decision decision, Moment at) {
        ToolError error = nothingAsked(decision.by());
        return ended(call, Ending.REJECTED, error, at,
                new Effect.Audit(call, Effect.Decided.DENIED, decision.by(), error.message()));
    }

    /// Returns the error for a call whose record names too little for a grant.
    static ToolError nothingAsked(@Nullable String by) {
        return ToolError.of(ErrorCode.E_TOOL_DENIED, "The call was approved" + (by == null ? "" : " by " + by)
                + ", but its record on tool.pending does not name the arguments and rules that were to be approved; it"
                + " was not run.");
    }

    private static Step ended(PendingCall call, Ending how, ToolError error, Moment at, Effect.Audit event) {
        return Step.of(Ended.of(call, how, at.now(), null),
                new Effect.Outcome(call, Completion.failed(call.handle(), error, null), how), new Effect.Tombstone(),
                event);
    }
}
