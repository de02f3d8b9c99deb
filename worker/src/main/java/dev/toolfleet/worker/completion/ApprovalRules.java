package dev.toolfleet.worker.completion;

import java.util.List;
import java.util.stream.Stream;

import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.oauth.grant.AuthorizationRules;
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

    /// What becomes of an open call.
    ///
    /// @param end the kind of its end; null for a call that waits on
    /// @param people the people who have approved by now, in order
    /// @param effects the effects, in order
    record Ruling(@Nullable CallEnd end, List<String> people, List<HandleEffect> effects) {
        Ruling {
            people = List.copyOf(people);
            effects = List.copyOf(effects);
        }

        private static Ruling waitsOn(List<String> people, HandleEffect... effects) {
            return new Ruling(null, people, List.of(effects));
        }

        private static Ruling ends(CallEnd how, HandleEffect... effects) {
            return new Ruling(how, List.of(), List.of(effects));
        }

        private Ruling and(HandleEffect more) {
            return new Ruling(end, people, Stream.concat(effects.stream(), Stream.of(more)).toList());
        }
    }

    /// Handles a decision about an open call.
    ///
    /// @param people the people who have approved before, in order
    static Ruling decided(PendingCall call, List<String> people, HandleMessage.Decided told, DecisionContext at) {
        boolean authorization = call.kind() == PendingCall.Kind.AUTHORIZATION;
        // A person authorizes at the server of the tool. What the owner of grants writes ends the wait.
        if ((call.kind() != PendingCall.Kind.APPROVAL && !authorization)
                || (authorization && told.decision().decision() == Decision.Verdict.APPROVE
                        && !AuthorizationRules.BY.equals(told.decision().by())))
            return Ruling.waitsOn(people, new HandleEffect.Letter(told.raw(), DeadLetterReason.WRONG_KIND));
        // Deadlines are checked twice a second, and after an outage later. Otherwise: a decision takes effect between
        // the deadline and its check.
        if (HandleTimer.at(call.deadline(), HandleTimer.Effect.DEADLINE).isReached(at.now())) {
            return expired(call, at).and(new HandleEffect.Letter(told.raw(), DeadLetterReason.LATE));
        }
        Decision decision = told.decision().kept();
        if (authorization)
            return authorized(call, decision, at);
        return switch (decision.decision()) {
            case APPROVE -> call.approval() == null
                    ? ungrantable(call, decision)
                    : approve(call, call.approval(), people, decision, told.raw(), at);
            case REJECT -> rejected(call, decision);
        };
    }

    /// The resumed call looks at the grant itself, so that a forged decision gives no access.
    private static Ruling authorized(PendingCall call, Decision decision, DecisionContext at) {
        Approval asked = call.approval();
        if (decision.decision() == Decision.Verdict.APPROVE && asked != null)
            return Ruling.ends(CallEnd.APPROVED,
                    new HandleEffect.Approved(call, grant(call, asked, decision, null, at)),
                    new HandleEffect.Tombstone());
        String why = decision.reason() == null ? "." : ": " + decision.reason();
        return ended(call, CallEnd.REJECTED,
                ToolError.of(ErrorCode.E_TOOL_AUTHORIZATION_DENIED, "The tool was not authorized" + why), null);
    }

    /// Ends a call about which no person decided in time.
    static Ruling expired(PendingCall call, DecisionContext at) {
        if (call.kind() == PendingCall.Kind.AUTHORIZATION)
            return ended(call, CallEnd.EXPIRED, ToolError.of(ErrorCode.E_TOOL_AUTHORIZATION_EXPIRED,
                    "The tool was not authorized by " + call.deadline() + "."), null);
        String message = "No person decided about the call by " + call.deadline() + ".";
        return ended(call, CallEnd.EXPIRED, ToolError.of(ErrorCode.E_TOOL_APPROVAL_EXPIRED, message),
                new HandleEffect.Audit(call, HandleEffect.Decided.EXPIRED, null, message));
    }

    /// Approves a call. If parts of it were hidden, the decision must say that it includes them.
    private static Ruling approve(PendingCall call, Approval asked, List<String> people, Decision decision,
            RawRecord raw, DecisionContext at) {
        if (!asked.isShownWhole() && !Boolean.TRUE.equals(decision.despiteHidden()))
            return refused(call, people, decision, raw, DeadLetterReason.HIDDEN, hidden(asked));
        return asked.isNamed()
                ? named(call, asked, people, decision, raw, at)
                : approved(call, grant(call, asked, decision, null, at), decision);
    }

    /// Counts a person once. The count is part of the handle's state, so it moves with its partition, and a decision
    /// that is read again finds itself counted.
    private static Ruling named(PendingCall call, Approval asked, List<String> people, Decision decision,
            RawRecord raw, DecisionContext at) {
        String by = decision.by();
        if (by == null)
            return refused(call, people, decision, raw, DeadLetterReason.NAMELESS,
                    "the approval names no approver, and the rule requires one");
        if (by.equals(asked.notBy()))
            return refused(call, people, decision, raw, DeadLetterReason.REQUESTER,
                    by + " is the user for whom the call is made, and the rule requires another person");
        if (people.contains(by))
            return refused(call, people, decision, raw, DeadLetterReason.COUNTED,
                    by + " has approved already and is counted once; "
                            + people.size() + " of " + asked.needed() + " people have approved");
        List<String> now = Stream.concat(people.stream(), Stream.of(by)).toList();
        if (now.size() >= asked.needed())
            return approved(call, grant(call, asked, decision, now, at), decision);
        return Ruling.waitsOn(now, new HandleEffect.ShowCount(call, now), new HandleEffect.Audit(call,
                HandleEffect.Decided.COUNTED, by, decision.reason(), now.size()));
    }

    private static String hidden(Approval asked) {
        return (asked.hidden() == null
                ? "the question does not record whether all of it is shown"
                : asked.hidden() + " places of the question are not shown")
                + ", and the approval does not set despiteHidden";
    }

    /// Refuses a decision: it changes nothing, an audit event reports it, and the call waits on.
    private static Ruling refused(PendingCall call, List<String> people, Decision decision, RawRecord raw,
            DeadLetterReason why, String reason) {
        return Ruling.waitsOn(people, new HandleEffect.Letter(raw, why), new HandleEffect.Audit(call,
                HandleEffect.Decided.REFUSED, decision.by(), reason, people.size()));
    }

    private static Ruling approved(PendingCall call, Grant grant, Decision decision) {
        return Ruling.ends(CallEnd.APPROVED, new HandleEffect.Approved(call, grant), new HandleEffect.Tombstone(),
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

    private static Ruling rejected(PendingCall call, Decision decision) {
        String by = decision.by() == null ? "A person rejected the call" : "The call was rejected by " + decision.by();
        String why = decision.reason() == null ? "." : ": " + decision.reason();
        return ended(call, CallEnd.REJECTED, ToolError.of(ErrorCode.E_TOOL_APPROVAL_REJECTED, by + why),
                new HandleEffect.Audit(call, HandleEffect.Decided.REJECTED, decision.by(), decision.reason()));
    }

    /// Denies an approved call that no worker of this fleet announced: its record names no rule that the approval could
    /// answer, and no arguments that the person saw.
    private static Ruling ungrantable(PendingCall call, Decision decision) {
        ToolError error = nothingAsked(decision.by());
        return ended(call, CallEnd.REJECTED, error,
                new HandleEffect.Audit(call, HandleEffect.Decided.DENIED, decision.by(), error.message()));
    }

    /// Returns the error for a call whose record names too little for a grant.
    static ToolError nothingAsked(@Nullable String by) {
        return ToolError.of(ErrorCode.E_TOOL_DENIED, "The call was approved" + (by == null ? "" : " by " + by)
                + ", but its record on tool.pending does not name the arguments and rules that were to be approved; it"
                + " was not run.");
    }

    /// @param event null for a call that has no audit of decisions
    private static Ruling ended(PendingCall call, CallEnd how, ToolError error,
            HandleEffect.@Nullable Audit event) {
        Ruling ruling = Ruling.ends(how,
                new HandleEffect.Outcome(call, Completion.failed(call.handle(), error, null), how),
                new HandleEffect.Tombstone());
        return event == null ? ruling : ruling.and(event);
    }
}
