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
public record Approval(String rule, List<String> rules, String reason, String fingerprint,
        @Nullable String policyDigest, @Nullable Integer hidden, @Nullable List<BoundOperand> operands) {

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
    }

    /// A question that does not say whether all of it is shown.
    public Approval(String rule, List<String> rules, String reason, String fingerprint,
            @Nullable String policyDigest) {
        this(rule, rules, reason, fingerprint, policyDigest, null, null);
    }

    /// The same question, of which so many places are not shown; null when that is not known.
    public Approval hiding(@Nullable Integer places) {
        return new Approval(rule, rules, reason, fingerprint, policyDigest, places, operands);
    }

    /// True if a person is shown all that would run. Only then does a decision grant the call that does not say
    /// `despiteHidden`.
    @JsonIgnore
    public boolean isShownWhole() {
        return hidden != null && hidden == 0;
    }
}
