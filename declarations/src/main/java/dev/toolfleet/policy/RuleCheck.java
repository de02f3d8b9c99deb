package dev.toolfleet.policy;

import java.util.List;

/// Conditional rule, checked against the arguments of one call; for people.
///
/// @param cause the rule's verdict and reason
/// @param counts true if it takes part in the decision, or would do so as an enforced rule
/// @param shadow true for a shadow rule
/// @param conditions in the order of the rule
public record RuleCheck(Cause cause, boolean counts, boolean shadow, List<Checked> conditions) {
    /// Copies the list.
    public RuleCheck {
        conditions = List.copyOf(conditions);
    }

    /// One condition.
    ///
    /// @param condition as canonical JSON
    /// @param outcome `met`, `not met`, or `undecided` and why; `unknown` when no arguments were given
    public record Checked(String condition, String outcome) {}
}
