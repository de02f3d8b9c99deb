package dev.toolfleet.wire;

import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Something that an auditor asks about later, on `tool.audit` by instanceKey, an operator's action by its target:
/// verdicts other than a plain allow, allowed calls of tools with sensitive data, people's decisions, operators' actions.
/// Never holds the arguments.
///
/// @param action what happened, as one word or two: `denied`, `allowed`, `approval-requested`, `approved`,
/// `rejected`, `approval-counted`, `approval-refused`, `approval-expired`, `approval-used`, `policy-deny`, `dlq-replay`, `lane-fail`, `lane-failed`,
/// `audit-closed`
/// @param by who did it: a person or a system; absent when a rule did
/// @param target what an operator acted on, such as a glob of tools or a dead letter
/// @param until when an operator's action ends by itself
/// @param call which call, absent for an operator's action on something else
/// @param handle of the approval
/// @param rule the deciding rule
/// @param stages all nine; absent when no policy was asked
/// @param sensitive whether the tool accesses sensitive data
/// @param hidden places of an approval's question that the person was not shown; absent where the question did not say
/// @param approvals how many people have approved by then, where more than one must
/// @param quorum how many people must approve, where it is more than one
/// @param worker which process saw it
public record AuditEvent(Kind kind, String action, @Nullable String by, @Nullable String reason,
        @Nullable String target, @Nullable Instant until, @Nullable AuditedCall call, @Nullable String handle,
        @Nullable String rule, @Nullable List<AuditStage> stages, @Nullable String policyDigest, boolean sensitive,
        @Nullable Integer hidden, @Nullable Integer approvals, @Nullable Integer quorum, @Nullable String worker,
        Instant occurredAt) {

    /// Checks that the event says what happened when.
    public AuditEvent {
        requireNonNull(kind, "kind");
        requireNonNull(action, "action");
        requireNonNull(occurredAt, "occurredAt");
        if (stages != null)
            stages = List.copyOf(stages);
    }

    /// An event that counts no approvals.
    public AuditEvent(Kind kind, String action, @Nullable String by, @Nullable String reason,
            @Nullable String target, @Nullable Instant until, @Nullable AuditedCall call, @Nullable String handle,
            @Nullable String rule, @Nullable List<AuditStage> stages, @Nullable String policyDigest, boolean sensitive,
            @Nullable Integer hidden, @Nullable String worker, Instant occurredAt) {
        this(kind, action, by, reason, target, until, call, handle, rule, stages, policyDigest, sensitive, hidden, null,
                null, worker, occurredAt);
    }

    /// An event about nothing that is hidden.
    public AuditEvent(Kind kind, String action, @Nullable String by, @Nullable String reason,
            @Nullable String target, @Nullable Instant until, @Nullable AuditedCall call, @Nullable String handle,
            @Nullable String rule, @Nullable List<AuditStage> stages, @Nullable String policyDigest, boolean sensitive,
            @Nullable String worker, Instant occurredAt) {
        this(kind, action, by, reason, target, until, call, handle, rule, stages, policyDigest, sensitive, null, worker,
                occurredAt);
    }

    /// What sort of event it is.
    public enum Kind {
        /// What a policy decided about a call.
        @JsonProperty("verdict")
        VERDICT,
        /// What became of an approval.
        @JsonProperty("decision")
        DECISION,
        /// What an operator did.
        @JsonProperty("operator")
        OPERATOR,
        /// A kind of a later version, as which every one is read that this version does not know. Never written.
        @JsonEnumDefaultValue
        @JsonProperty("unknown")
        UNKNOWN
    }
}
