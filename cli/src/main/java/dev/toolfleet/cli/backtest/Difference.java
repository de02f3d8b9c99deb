package dev.toolfleet.cli.backtest;

import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.policy.Cause;

/// One difference that the bundle makes to a call.
///
/// @param before the verdict of the fleet's policy; for a shadow rule, that of the policy with the bundle
/// @param ruleBefore the rule that decides so
/// @param after the verdict with the bundle; for a shadow rule, the one that it would make
/// @param cause the rule that decides so, or the shadow rule
record Difference(Finding finding, Verdict before, String ruleBefore, Verdict after, Cause cause) {
    /// The shadow rule; empty for a change, which is grouped by tool and agent alone.
    String shadowRule() {
        return finding.isShadow() ? cause.rule() : "";
    }
}
