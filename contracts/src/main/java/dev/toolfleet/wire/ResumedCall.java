package dev.toolfleet.wire;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// A call that goes on: approved, with the outcome of work that finished elsewhere, or with what an earlier owner of
/// its partition says of it, on `tool.call.resumed`. Exactly one of `grant`, `outcome` and `handOver` is present.
///
/// @param call the call; without arguments and message when it has an outcome or was handed over
/// @param callOffset the call's offset on `tool.call`
/// @param origin how the call began, with an outcome or a grant
public record ResumedCall(ToolCall call, long callOffset, @Nullable Grant grant, @Nullable Completion outcome,
        @Nullable HandOver handOver, @Nullable CallOrigin origin) {

    /// Checks that the record says one thing.
    public ResumedCall {
        requireNonNull(call, "call");
        if (Stream.of(grant, outcome, handOver).filter(Objects::nonNull).count() != 1) {
            throw new IllegalArgumentException("a resumed call has one of grant, outcome and handOver");
        }
    }

    /// The outcome of a pending call.
    public static ResumedCall ended(PendingCall pending, Completion outcome) {
        return new ResumedCall(pending.call().bare(), pending.callOffset(), null, outcome, null, pending.origin());
    }

    /// A pending call that a person approved: it runs, once.
    public static ResumedCall approved(PendingCall pending, Grant grant) {
        return new ResumedCall(pending.call(), pending.callOffset(), grant, null, null, pending.origin());
    }

    /// What an earlier owner of the partition says.
    public static ResumedCall handedOver(ToolCall call, long callOffset, HandOver handOver) {
        return new ResumedCall(call, callOffset, null, null, handOver, null);
    }

    /// A person's permission to run one call once.
    ///
    /// @param handle the approval's handle
    /// @param fingerprint of the arguments that were approved
    /// @param rule the rule that asked, the first of them when several did
    /// @param rules every rule that asked; null when it is the one
    /// @param policyDigest the policy under which it asked
    /// @param catalogDigest the content that the model saw
    /// @param by who approved, the last of them when several did
    /// @param at when
    /// @param operands files to which the approval is bound; absent for none
    /// @param approvers who approved, the last one too; absent where the approval asked for one person, whoever that is
    public record Grant(String handle, String fingerprint, String rule, @Nullable List<String> rules,
            @Nullable String policyDigest, @Nullable String catalogDigest, @Nullable String by, Instant at,
            @Nullable List<BoundOperand> operands, @Nullable List<String> approvers) {

        /// Checks that the grant is bound to one approval of one call.
        public Grant {
            requireNonNull(handle, "handle");
            requireNonNull(fingerprint, "fingerprint");
            requireNonNull(rule, "rule");
            requireNonNull(at, "at");
            if (rules != null)
                rules = List.copyOf(rules);
            operands = operands == null || operands.isEmpty() ? null : List.copyOf(operands);
            approvers = approvers == null || approvers.isEmpty() ? null : List.copyOf(approvers);
        }

        /// A grant by one person.
        public Grant(String handle, String fingerprint, String rule, @Nullable List<String> rules,
                @Nullable String policyDigest, @Nullable String catalogDigest, @Nullable String by, Instant at,
                @Nullable List<BoundOperand> operands) {
            this(handle, fingerprint, rule, rules, policyDigest, catalogDigest, by, at, operands, null);
        }

        /// A grant that is bound to no file.
        public Grant(String handle, String fingerprint, String rule, @Nullable List<String> rules,
                @Nullable String policyDigest, @Nullable String catalogDigest, @Nullable String by, Instant at) {
            this(handle, fingerprint, rule, rules, policyDigest, catalogDigest, by, at, null);
        }

        /// Every rule that asked.
        public List<String> answered() {
            return rules == null ? List.of(rule) : rules;
        }

        /// Everybody who approved, as far as they have names.
        public List<String> people() {
            return approvers != null ? approvers : by == null ? List.of() : List.of(by);
        }
    }
}
