package dev.toolfleet.wire;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// A call that goes on: approved, or with the outcome of work that finished elsewhere, on `tool.call.resumed`. Exactly
/// one of `grant` and `outcome` is present.
///
/// @param callOffset the call's offset on `tool.call`
public record ResumedCall(ToolCall call, long callOffset, @Nullable Grant grant, @Nullable Completion outcome) {

    /// Checks that the record says one thing.
    public ResumedCall {
        requireNonNull(call, "call");
        if ((grant == null) == (outcome == null)) {
            throw new IllegalArgumentException("a resumed call has either a grant or an outcome");
        }
    }

    /// A person's permission to run one call once.
    ///
    /// @param handle the approval's handle
    /// @param fingerprint of the arguments that were approved
    /// @param rule the rule that asked
    /// @param policyDigest the policy under which it asked
    /// @param catalogDigest the content that the model saw
    /// @param by who approved
    /// @param at when
    public record Grant(String handle, String fingerprint, String rule, @Nullable String policyDigest,
            @Nullable String catalogDigest, @Nullable String by, Instant at) {

        /// Checks that the grant is bound to one approval of one call.
        public Grant {
            requireNonNull(handle, "handle");
            requireNonNull(fingerprint, "fingerprint");
            requireNonNull(rule, "rule");
            requireNonNull(at, "at");
        }
    }
}
