package dev.toolfleet.policy;

import dev.toolfleet.bundle.ApprovalTerms;
import dev.toolfleet.bundle.Verdict;

/// Reason of a stage's verdict.
///
/// @param rule the rule, as `bundle/policy/id`; a stage without rules has its own names, such as
///        `finance-safety/isTransactional`
/// @param reason one sentence for people and models
/// @param approvals terms that meet every rule of the stage that requires approval; one approval for other verdicts
public record Cause(Stage stage, Verdict verdict, String rule, String reason, ApprovalTerms approvals) {
    /// Makes a cause that requires at most one approval.
    public Cause(Stage stage, Verdict verdict, String rule, String reason) {
        this(stage, verdict, rule, reason, ApprovalTerms.ONE);
    }

    /// Returns the same cause with the terms of another rule of the stage added.
    Cause and(ApprovalTerms other) {
        ApprovalTerms both = approvals.and(other);
        return both.equals(approvals) ? this : new Cause(stage, verdict, rule, reason, both);
    }
}
