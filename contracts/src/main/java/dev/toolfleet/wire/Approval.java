package dev.toolfleet.wire;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Question to a person about a call, on its `PendingCall` of kind approval. An approval grants exactly this: the call
/// with these arguments, under these rules.
///
/// @param rule the rule that requires approval, the first of them if several do
/// @param rules every rule that requires approval
/// @param reason the rule's text for people
/// @param fingerprint of the arguments that would run, as the middlewares left them
/// @param policyDigest the policy at the time of the request
/// @param hidden places of the question that a person is not shown, because they hold a secret of the fleet; absent
///        when the writer gave no number, which counts as some
/// @param operands files to which the approval is bound; absent for none
/// @param quorum the number of different people that must approve; absent for one
/// @param notBy the user who requests the call and must not approve it; absent when any person may
/// @param approvedBy the people who have approved so far, as the fleet counted; absent for none. It is written for
///        readers, and the count never reads it back
public record Approval(String rule, List<String> rules, String reason, String fingerprint,
        @Nullable String policyDigest, @Nullable Integer hidden, @Nullable List<BoundOperand> operands,
        @Nullable Integer quorum, @Nullable String notBy, @Nullable List<String> approvedBy) {

    /// Checks that rules, reason and fingerprint are present.
    public Approval {
        requireNonNull(rule, "rule");
        requireNonNull(rules, "rules");
        requireNonNull(reason, "reason");
        requireNonNull(fingerprint, "fingerprint");
        rules = List.copyOf(rules);
        operands = operands == null || operands.isEmpty() ? null : List.copyOf(operands);
        if (hidden != null && hidden < 0)
            throw new IllegalArgumentException("'hidden' is " + hidden + "; it is a number of places");
        if (quorum != null && quorum < 1)
            throw new IllegalArgumentException("'quorum' is " + quorum + "; it is a number of people");
        approvedBy = approvedBy == null || approvedBy.isEmpty() ? null : List.copyOf(approvedBy);
    }

    /// Makes a question that any one person answers.
    public Approval(String rule, List<String> rules, String reason, String fingerprint,
            @Nullable String policyDigest, @Nullable Integer hidden, @Nullable List<BoundOperand> operands) {
        this(rule, rules, reason, fingerprint, policyDigest, hidden, operands, null, null, null);
    }

    /// Makes a question with an unknown number of hidden places.
    public Approval(String rule, List<String> rules, String reason, String fingerprint,
            @Nullable String policyDigest) {
        this(rule, rules, reason, fingerprint, policyDigest, null, null);
    }

    /// Returns the same question with this number of hidden places; null for an unknown number.
    public Approval hiding(@Nullable Integer places) {
        return new Approval(rule, rules, reason, fingerprint, policyDigest, places, operands, quorum, notBy,
                approvedBy);
    }

    /// Returns the same question, approved by these people so far.
    public Approval approvedBy(@Nullable List<String> people) {
        return new Approval(rule, rules, reason, fingerprint, policyDigest, hidden, operands, quorum, notBy, people);
    }

    /// Returns the number of different people that must approve.
    public int needed() {
        return quorum == null ? 1 : quorum;
    }

    /// True if approvals must carry a name: the fleet compares names then, and counts no approval without one.
    @JsonIgnore
    public boolean isNamed() {
        return needed() > 1 || notBy != null;
    }

    /// True if a person is shown all that would run. Otherwise a decision grants the call only with `despiteHidden`.
    @JsonIgnore
    public boolean isShownWhole() {
        return hidden != null && hidden == 0;
    }
}
