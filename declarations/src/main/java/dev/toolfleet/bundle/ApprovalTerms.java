package dev.toolfleet.bundle;

import java.util.Set;

/// Terms on which a rule lets people approve a call.
///
/// @param quorum number of different people that must approve, 1 to [#MOST]
/// @param notRequester true if the user for whom the call is made must not be among them
public record ApprovalTerms(int quorum, boolean notRequester) {
    /// The fields of `approvals` in a rule.
    public static final Set<String> FIELDS = Set.of("quorum", "notRequester");
    /// The largest quorum.
    public static final int MOST = 5;
    /// The form of a quorum, for messages.
    public static final String QUORUM_FORM = "a whole number from 1 to " + MOST;
    /// One approval, by any person.
    public static final ApprovalTerms ONE = new ApprovalTerms(1, false);

    /// Checks the quorum.
    public ApprovalTerms {
        if (quorum < 1 || quorum > MOST)
            throw new IllegalArgumentException("quorum is " + quorum + "; it must be " + QUORUM_FORM);
    }

    static ApprovalTerms of(ResourceJson approvals) {
        if (!approvals.present())
            return ONE;
        approvals.known(FIELDS);
        int quorum = approvals.get("quorum").whole(1);
        if (quorum < 1 || quorum > MOST)
            throw approvals.get("quorum").wrong(QUORUM_FORM);
        return new ApprovalTerms(quorum, approvals.get("notRequester").flag());
    }

    /// Returns terms that meet both.
    public ApprovalTerms and(ApprovalTerms other) {
        if (other.equals(ONE) || other.equals(this))
            return this;
        return new ApprovalTerms(Math.max(quorum, other.quorum), notRequester || other.notRequester);
    }

    /// Returns the form in a rule's text: ` quorum=2 notRequester`; empty for [#ONE].
    String text() {
        return (quorum == 1 ? "" : " quorum=" + quorum) + (notRequester ? " notRequester" : "");
    }
}
