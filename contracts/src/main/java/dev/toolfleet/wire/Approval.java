package dev.toolfleet.wire;

import java.util.List;

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
public record Approval(String rule, List<String> rules, String reason, String fingerprint,
        @Nullable String policyDigest) {

    /// Checks that the question says who asks what.
    public Approval {
        requireNonNull(rule, "rule");
        requireNonNull(rules, "rules");
        requireNonNull(reason, "reason");
        requireNonNull(fingerprint, "fingerprint");
        rules = List.copyOf(rules);
    }
}
