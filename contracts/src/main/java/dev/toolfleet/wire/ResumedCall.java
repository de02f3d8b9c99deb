package dev.toolfleet.wire;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/// A call that goes on: approved, or with the outcome of work that finished
/// elsewhere, on `tool.call.resumed`. Exactly
/// one of `grant` and `outcome` is present.
///
/// @param callOffset
///            the call's offset on `tool.call`
public record ResumedCall(ToolCall call, long callOffset, @Nullable Grant grant, @Nullable Completion outcome) {

    /// Checks that the record says one thing.
    public ResumedCall {
        if ((grant == null) == (outcome == null)) {
            throw new IllegalArgumentException("a resumed call has either a grant or an outcome");
        }
    }

    /// A person's permission to run one call once.
    ///
    /// @param handle
    ///            the approval's handle
    /// @param fingerprint
    ///            of the arguments that were approved
    /// @param rule
    ///            the rule that asked
    /// @param policyDigest
    ///            the policy under which it asked
    /// @param catalogDigest
    ///            the content that the model saw
    /// @param by
    ///            who approved
    /// @param at
    ///            when
    public record Grant(String handle, String fingerprint, String rule, @Nullable String policyDigest,
            @Nullable String catalogDigest, @Nullable String by, Instant at) {}
}
