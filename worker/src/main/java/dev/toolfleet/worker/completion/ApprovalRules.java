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
final class ApprovalRules {
    private ApprovalRules() {}

    /// Handles a decision about an open call.
    static HandleTransition decided(PendingHandle open, HandleMessage.Decided told, DecisionContext at) {
        PendingCall call = open.call();
        if (call.kind() != PendingCall.Kind.APPROVAL)
            return HandleTransition.of(open, new HandleEffect.Letter(told.raw(), DeadLetterReason.WRONG_KIND));
        // Deadlines are checked twice a second, and after an outage later. Otherwise: a decision takes effect between
        // the deadline and its check.
        if (HandleTimer.at(call.deadline(), HandleTimer.Effect.DEADLINE).isReached(at.now())) {
            HandleTransition expired = expired(call, at);
            return expired.and(new HandleEffect.Letter(told.raw(), DeadLetterReason.LATE));
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
    static HandleTransition expired(PendingCall call, DecisionContext at) {
        String message = "No person decided about the call by " + call.deadline() + ".";
        return ended(call, CallEnd.EXPIRED, ToolError.of(ErrorCode.E_TOOL_APPROVAL_EXPIRED, message), at,
                new HandleEffect.Audit(call, HandleEffect.Decided.EXPIRED, null, message));
    }

    /// Approves a call. If parts of it were hidden, the decision must say that it includes them.
    private static HandleTransition approve(PendingHandle open, Approval asked, Decision decision, RawRecord raw,
            DecisionContext at) {
        PendingCall call = open.call();
        if (!asked.isShownWhole() && !Boolean.TRUE.equals(decision.despiteHidden()))
            return refused(open, decision, raw, DeadLetterReason.HIDDEN, hidden(asked));
        return asked.isNamed()
                ? named(open, asked, decision, raw, at)
                : approved(call, grant(call, asked, decision, null, at), decision, at);
    }

    /// Counts a person once. The count is part of the handle's state, so it moves with its partition, and a decision
    /// that is read again finds itself counted.
    private static HandleTransition named(PendingHandle open, Approval asked, Decision decision, RawRecord raw,
            DecisionContext at) {
        PendingCall call = open.call();
        String by = decision.by();
        if (by == null)
            return refused(open, decision, raw, DeadLetterReason.NAMELESS,
                    "the approval names no approver, and the rule requires one");
        if (by.equals(asked.notBy()))
            return refused(open, decision, raw, DeadLetterReason.REQUESTER,
                    by + " is the user for whom the call is made, and the rule requires another person");
        if (open.people().contains(by))
            return refused(open, decision, raw, DeadLetterReason.COUNTED,
                    by + " has approved already and is counted once; "
                            + open.people().size() + " of " + asked.needed() + " people have approved");
        List<String> people = Stream.concat(open.people().stream(), Stream.of(by)).toList();
        if (people.size() >= asked.needed())
            return approved(call, grant(call, asked, decision, people, at), decision, at);
        return HandleTransition.of(open.approvedBy(people), new HandleEffect.ShowCount(call, people),
                new HandleEffect.Audit(call,
                        HandleEffect.Decided.COUNTED, by, decision.reason(), people.size()));
    }

    private static String hidden(Approval asked) {
        return (asked.hidden() == null
                ? "the question does not record whether all of it is shown"
                : asked.hidden() + " places of the question are not shown")
                + ", and the approval does not set despiteHidden";
    }

    /// Refuses a decision: it changes nothing, an audit event reports it, and the call waits on.
    private static HandleTransition refused(PendingHandle open, Decision decision, RawRecord raw, DeadLetterReason why,
            String reason) {
        return HandleTransition.of(open, new HandleEffect.Letter(raw, why),
                new HandleEffect.Audit(open.call(), HandleEffect.Decided.REFUSED, decision.by(), reason,
                        open.people().size()));
    }

    private static HandleTransition approved(PendingCall call, Grant grant, Decision decision, DecisionContext at) {
        return HandleTransition.of(EndedHandle.of(call, CallEnd.APPROVED, at.now(), null),
                new HandleEffect.Approved(call, grant), new HandleEffect.Tombstone(),
                new HandleEffect.Audit(call, HandleEffect.Decided.APPROVED, decision.by(), decision.reason(),
                        grant.people().size()));
    }

    /// Makes a grant bound to the question that was asked, whatever the decision's record claims.
    ///
    /// @param people the people who approved; null where names do not count
    private static Grant grant(PendingCall call, Approval asked, Decision decision, @Nullable List<String> people,
            DecisionContext at) {
        boolean one = asked.rules().isEmpty() || asked.rules().equals(List.of(asked.rule()));
        return new Grant(call.handle(), asked.fingerprint(), asked.rule(), one ? null : asked.rules(),
                asked.policyDigest(), call.catalogDigest(), decision.by(), at.now(), asked.operands(), people);
    }

    private static HandleTransition rejected(PendingCall call, Decision decision, DecisionContext at) {
        String by = decision.by() == null ? "A person rejected the call" : "The call was rejected by " + decision.by();
        String why = decision.reason() == null ? "." : ": " + decision.reason();
        return ended(call, CallEnd.REJECTED, ToolError.of(ErrorCode.E_TOOL_APPROVAL_REJECTED, by + why), at,
                new HandleEffect.Audit(call, HandleEffect.Decided.REJECTED, decision.by(), decision.reason()));
    }

    /// Denies an approved call that no worker of this fleet announced: its record names no rule that the approval could
    /// answer, and no arguments that the person saw.
    private static HandleTransition ungrantable(PendingCall call, Decision decision, DecisionContext at) {
        ToolError error = nothingAsked(decision.by());
        return ended(call, CallEnd.REJECTED, error, at,
                new HandleEffect.Audit(call, HandleEffect.Decided.DENIED, decision.by(), error.message()));
    }

    /// Returns the error for a call whose record names too little for a grant.
    static ToolError nothingAsked(@Nullable String by) {
        return ToolError.of(ErrorCode.E_TOOL_DENIED, "The call was approved" + (by == null ? "" : " by " + by)
                + ", but its record on tool.pending does not name the arguments and rules that were to be approved; it"
                + " was not run.");
    }

    private static HandleTransition ended(PendingCall call, CallEnd how, ToolError error, DecisionContext at,
            HandleEffect.Audit event) {
        return HandleTransition.of(EndedHandle.of(call, how, at.now(), null),
                new HandleEffect.Outcome(call, Completion.failed(call.handle(), error, null), how),
                new HandleEffect.Tombstone(),
                event);
    }
}
