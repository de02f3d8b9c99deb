package dev.toolfleet.policy;

import dev.toolfleet.bundle.ApprovalTerms;
import dev.toolfleet.bundle.Verdict;

/// Why a stage says what it says.
///
/// @param rule which rule, as `bundle/policy/id`; a stage without rules has names of its own, such as
/// `finance-safety/isTransactional`
/// @param reason one sentence for people and models
/// @param approvals terms that meet every rule of the stage that asks; one approval for other verdicts
public record Cause(Stage stage, Verdict verdict, String rule, String reason, ApprovalTerms approvals) {
    /// A cause that asks for no more than one approval.
    public Cause(Stage stage, Verdict verdict, String rule, String reason) {
        this(stage, verdict, rule, reason, ApprovalTerms.ONE);
    }

    /// The same, for another rule of the stage that asks too.
    Cause and(ApprovalTerms other) {
        ApprovalTerms both = approvals.and(other);
        return both.equals(approvals) ? this : new Cause(stage, verdict, rule, reason, both);
    }
}
