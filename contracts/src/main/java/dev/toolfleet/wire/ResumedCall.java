package dev.toolfleet.wire;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Resumed call, on `tool.call.resumed`: approved, or with the outcome of work elsewhere, or handed over by an earlier
/// owner of its partition. Exactly one of `grant`, `outcome` and `handOver` is present.
///
/// @param call the call; without arguments and message when it has an outcome or was handed over
/// @param callOffset the call's offset on `tool.call`
/// @param origin the start of the call, with an outcome or a grant
public record ResumedCall(ToolCall call, long callOffset, @Nullable Grant grant, @Nullable Completion outcome,
        @Nullable HandOver handOver, @Nullable CallOrigin origin) {

    /// Checks that exactly one part is present.
    public ResumedCall {
        requireNonNull(call, "call");
        if (Stream.of(grant, outcome, handOver).filter(Objects::nonNull).count() != 1) {
            throw new IllegalArgumentException("a resumed call has one of grant, outcome and handOver");
        }
    }

    /// Makes the outcome of a pending call.
    public static ResumedCall ended(PendingCall pending, Completion outcome) {
        return new ResumedCall(pending.call().bare(), pending.callOffset(), null, outcome, null, pending.origin());
    }

    /// Makes a pending call that a person approved: it runs, once.
    public static ResumedCall approved(PendingCall pending, Grant grant) {
        return new ResumedCall(pending.call(), pending.callOffset(), grant, null, null, pending.origin());
    }

    /// Makes the hand-over of an earlier owner of the partition.
    public static ResumedCall handedOver(ToolCall call, long callOffset, HandOver handOver) {
        return new ResumedCall(call, callOffset, null, null, handOver, null);
    }

    /// Permission of a person to run one call once.
    ///
    /// @param handle the approval's handle
    /// @param fingerprint of the arguments that were approved
    /// @param rule the rule that required approval, the first of them if several did
    /// @param rules every rule that required approval; null when it is only the one
    /// @param policyDigest the policy at the time of the request
    /// @param catalogDigest the catalog content that the model saw
    /// @param by the person who approved, the last of them if several did
    /// @param at the time
    /// @param operands files to which the approval is bound; absent for none
    /// @param approvers the people who approved, the last one too; absent where the approval required any one person
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

        /// Makes a grant by one person.
        public Grant(String handle, String fingerprint, String rule, @Nullable List<String> rules,
                @Nullable String policyDigest, @Nullable String catalogDigest, @Nullable String by, Instant at,
                @Nullable List<BoundOperand> operands) {
            this(handle, fingerprint, rule, rules, policyDigest, catalogDigest, by, at, operands, null);
        }

        /// Makes a grant that is bound to no file.
        public Grant(String handle, String fingerprint, String rule, @Nullable List<String> rules,
                @Nullable String policyDigest, @Nullable String catalogDigest, @Nullable String by, Instant at) {
            this(handle, fingerprint, rule, rules, policyDigest, catalogDigest, by, at, null);
        }

        /// Returns every rule that required approval.
        public List<String> answered() {
            return rules == null ? List.of(rule) : rules;
        }

        /// Returns all people who approved, as far as they have names.
        public List<String> people() {
            return approvers != null ? approvers : by == null ? List.of() : List.of(by);
        }
    }
}
