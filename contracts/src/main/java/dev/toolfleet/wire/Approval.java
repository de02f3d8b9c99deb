package dev.toolfleet.wire;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// What a person is asked about a call, on its `PendingCall` of kind approval. The answer is a permission for exactly
/// this: the call with these arguments, and these rules.
///
/// @param rule the rule that asked, the first of them when several did
/// @param rules every rule that asked
/// @param reason what people are told, as the rule says it
/// @param fingerprint of the arguments that would run, as the middlewares left them
/// @param policyDigest the policy under which it was asked
/// @param hidden places of the question that a person is not shown, because a secret of the fleet stands there; absent when
/// the writer did not say, which counts as some
/// @param operands files to which the approval is bound; absent for none
/// @param quorum how many different people must approve; absent for one
/// @param notBy the user who asks for the call and must not approve it; absent when anybody may
/// @param approvedBy who has approved so far, as the fleet counted; absent for nobody. It is written for readers, and
/// never read back by what counts
public record Approval(String rule, List<String> rules, String reason, String fingerprint,
        @Nullable String policyDigest, @Nullable Integer hidden, @Nullable List<BoundOperand> operands,
        @Nullable Integer quorum, @Nullable String notBy, @Nullable List<String> approvedBy) {

    /// Checks that the question says who asks what.
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

    /// A question that one person answers, whoever that is.
    public Approval(String rule, List<String> rules, String reason, String fingerprint,
            @Nullable String policyDigest, @Nullable Integer hidden, @Nullable List<BoundOperand> operands) {
        this(rule, rules, reason, fingerprint, policyDigest, hidden, operands, null, null, null);
    }

    /// A question that does not say whether all of it is shown.
    public Approval(String rule, List<String> rules, String reason, String fingerprint,
            @Nullable String policyDigest) {
        this(rule, rules, reason, fingerprint, policyDigest, null, null);
    }

    /// The same question, of which so many places are not shown; null when that is not known.
    public Approval hiding(@Nullable Integer places) {
        return new Approval(rule, rules, reason, fingerprint, policyDigest, places, operands, quorum, notBy,
                approvedBy);
    }

    /// The same question, which these people have approved so far.
    public Approval approvedBy(@Nullable List<String> people) {
        return new Approval(rule, rules, reason, fingerprint, policyDigest, hidden, operands, quorum, notBy, people);
    }

    /// How many different people must approve.
    public int needed() {
        return quorum == null ? 1 : quorum;
    }

    /// True if it matters who approves: the fleet compares names then, and counts no approval without one.
    @JsonIgnore
    public boolean isNamed() {
        return needed() > 1 || notBy != null;
    }

    /// True if a person is shown all that would run. Only then does a decision grant the call that does not say
    /// `despiteHidden`.
    @JsonIgnore
    public boolean isShownWhole() {
        return hidden != null && hidden == 0;
    }
}
