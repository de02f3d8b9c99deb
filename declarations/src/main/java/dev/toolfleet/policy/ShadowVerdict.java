package dev.toolfleet.policy;

import dev.toolfleet.bundle.Verdict;

/// Shadow rule that applies to a call, judged as if this rule alone were enforced beside the enforced ones.
///
/// @param cause the rule, with its own verdict and reason
/// @param would the verdict that the whole policy would have with the rule
/// @param changes true if the policy's verdict without the rule is another one
public record ShadowVerdict(Cause cause, Verdict would, boolean changes) {}
