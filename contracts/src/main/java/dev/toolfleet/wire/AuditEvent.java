package dev.toolfleet.wire;

import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/// Event for auditors, on `tool.audit` by instanceKey, an operator's action by its target. It covers verdicts other
/// than a plain allow, allowed calls of tools with sensitive data, people's decisions, and operators' actions. Never
/// holds the arguments.
///
/// @param action one of `denied`, `allowed`, `approval-requested`, `shadow-denied`, `shadow-approval`,
///        `shadow-allowed`, `approved`, `rejected`, `approval-counted`,
///        `approval-refused`, `approval-expired`, `approval-used`, `policy-deny`, `dlq-replay`, `lane-fail`,
///        `lane-failed`, `cancel`, `labels-cleared`, `audit-closed`
/// @param by the person or system that acted; absent for a rule
/// @param target the object of an operator's action, such as a glob of tools, a dead letter, or the place of a call
/// @param until the time at which an operator's action ends by itself
/// @param call the call; absent for an operator's action on something else
/// @param handle of the approval
/// @param rule the deciding rule, or the shadow rule
/// @param stages all nine; absent when no policy was evaluated
/// @param sensitive true if the tool accesses sensitive data
/// @param hidden places of an approval's question that the person was not shown; absent where the question had no
///        number
/// @param approvals the number of approvals so far, where more than one is required
/// @param quorum the required number of approvals, where it is more than one
/// @param labels of the instance, with the calls whose results added them last, where a rule denied the call or required
///        approval, and where they were cleared; absent for none
/// @param worker the process that recorded it
public record AuditEvent(Kind kind, String action, @Nullable String by, @Nullable String reason,
        @Nullable String target, @Nullable Instant until, @Nullable AuditedCall call, @Nullable String handle,
        @Nullable String rule, @Nullable List<AuditStage> stages, @Nullable String policyDigest, boolean sensitive,
        @Nullable Integer hidden, @Nullable Integer approvals, @Nullable Integer quorum,
        @Nullable List<AddedLabel> labels, @Nullable String worker, Instant occurredAt) {

    /// Checks that kind, action and time are present.
    public AuditEvent {
        requireNonNull(kind, "kind");
        requireNonNull(action, "action");
        requireNonNull(occurredAt, "occurredAt");
        if (stages != null)
            stages = List.copyOf(stages);
        if (labels != null)
            labels = List.copyOf(labels);
    }

    /// Makes an event without a count of approvals.
    public AuditEvent(Kind kind, String action, @Nullable String by, @Nullable String reason,
            @Nullable String target, @Nullable Instant until, @Nullable AuditedCall call, @Nullable String handle,
            @Nullable String rule, @Nullable List<AuditStage> stages, @Nullable String policyDigest, boolean sensitive,
            @Nullable Integer hidden, @Nullable String worker, Instant occurredAt) {
        this(kind, action, by, reason, target, until, call, handle, rule, stages, policyDigest, sensitive, hidden, null,
                null, null, worker, occurredAt);
    }

    /// Makes an event without hidden places.
    public AuditEvent(Kind kind, String action, @Nullable String by, @Nullable String reason,
            @Nullable String target, @Nullable Instant until, @Nullable AuditedCall call, @Nullable String handle,
            @Nullable String rule, @Nullable List<AuditStage> stages, @Nullable String policyDigest, boolean sensitive,
            @Nullable String worker, Instant occurredAt) {
        this(kind, action, by, reason, target, until, call, handle, rule, stages, policyDigest, sensitive, null, worker,
                occurredAt);
    }

    /// Kind of an audit event.
    public enum Kind {
        /// A policy's decision about a call.
        @JsonProperty("verdict")
        VERDICT,
        /// A change of an approval.
        @JsonProperty("decision")
        DECISION,
        /// An operator's action.
        @JsonProperty("operator")
        OPERATOR,
        /// A kind of a later version. Every kind that this version does not know is read as this. Never written.
        @JsonEnumDefaultValue
        @JsonProperty("unknown")
        UNKNOWN
    }
}
