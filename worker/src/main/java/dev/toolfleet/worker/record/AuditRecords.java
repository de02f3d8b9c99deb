package dev.toolfleet.worker.record;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

import dev.toolfleet.bundle.Verdict;
import dev.toolfleet.error.ErrorText;
import dev.toolfleet.policy.Cause;
import dev.toolfleet.policy.PolicyDecision;
import dev.toolfleet.policy.ShadowVerdict;
import dev.toolfleet.policy.StageResult;
import dev.toolfleet.topic.EventType;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.AuditStage;
import dev.toolfleet.wire.AuditedCall;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.policy.Ruling;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/// Audit events of calls, in the transaction of what came of the call: it was denied, a person was asked, an approval was
/// used, or a tool that accesses sensitive data was let run. At most one such event for each call that begins, none for a
/// plain allow of another tool, never the arguments. Beside it, one event for each shadow rule that would have changed the
/// verdict, up to [#MOST_SHADOWS]. Thread-safe.
final class AuditRecords {
    private static final WireCodec<AuditEvent> EVENTS = WireCodec.of(AuditEvent.class);

    /// The most events of shadow rules for one call.
    static final int MOST_SHADOWS = 10;

    private final RecordWriter writer;
    private final InstantSource clock;

    AuditRecords(RecordWriter writer, InstantSource clock) {
        this.writer = writer;
        this.clock = clock;
    }

    /// @param waits what the call waits for; null when it has ended
    List<ProducerRecord<byte[], byte[]>> of(CallFacts run, @Nullable PendingCall waits) {
        List<ProducerRecord<byte[], byte[]>> enforced = enforced(run, waits);
        List<ShadowVerdict> shadows = shadows(run);
        if (shadows.isEmpty())
            return enforced;
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>(enforced);
        shadows.stream().limit(MOST_SHADOWS).forEach(shadow -> all.add(record(run, new Said(action(shadow.would()),
                null, shadow.cause().reason(), waits == null ? null : waits.handle(), shadow.cause().rule(),
                run.policyDigest(), null))));
        return all;
    }

    /// Returns the shadow rules that would have changed the verdict of a call that begins. The run of an approved call,
    /// and the end of a handle, judge the same call again.
    static List<ShadowVerdict> shadows(CallFacts run) {
        Ruling ruling = run.ruling();
        return ruling == null || run.grant() != null || run.at().source() != Position.Source.CALLS
                ? List.of()
                : ruling.basis().shadows();
    }

    private static String action(Verdict would) {
        return switch (would) {
            case DENY -> "shadow-denied";
            case REQUIRE_APPROVAL -> "shadow-approval";
            case ALLOW -> "shadow-allowed";
        };
    }

    private List<ProducerRecord<byte[], byte[]>> enforced(CallFacts run, @Nullable PendingCall waits) {
        Approval asked = waits == null ? null : waits.approval();
        ResumedCall.Grant grant = run.grant();
        if (run.ruling() instanceof Ruling.Denied(var basis, var error)) {
            Cause cause = cause(basis.decision());
            return List.of(record(run, new Said("denied", null, cause == null ? error.message() : cause.reason(),
                    grant == null ? null : grant.handle(), cause == null ? null : cause.rule(), run.policyDigest(),
                    null)));
        }
        if (waits != null && asked != null)
            return List.of(record(run, new Said("approval-requested", null, asked.reason(), waits.handle(),
                    asked.rule(), asked.policyDigest(), asked.hidden())));
        if (grant != null && isUsed(run))
            return List.of(record(run, new Said("approval-used", grant.by(), null, grant.handle(), grant.rule(),
                    run.ruling() == null ? grant.policyDigest() : run.policyDigest(), null)));
        if (run.isSensitive() && isLetRun(run))
            return List.of(record(run, new Said("allowed", null, null,
                    waits != null ? waits.handle() : grant == null ? null : grant.handle(), null, run.policyDigest(),
                    null)));
        return List.of();
    }

    /// No stage stood in its way, here or at an earlier owner of the partition, who published nothing of it. The end of a
    /// handle runs nothing: its call had its event when it began.
    private static boolean isLetRun(CallFacts run) {
        return run.tool() != null && (run.at().source() == Position.Source.CALLS || run.grant() != null)
                && (run.ruling() == null || run.ruling() instanceof Ruling.Allowed);
    }

    /// Here, or by an earlier owner of the partition, who announced that it would start the call.
    private static boolean isUsed(CallFacts run) {
        return run.isApprovalUsed() || (run.ruling() == null && run.isAnnounced());
    }

    private record Said(String action, @Nullable String by, @Nullable String reason, @Nullable String handle,
            @Nullable String rule, @Nullable String policyDigest, @Nullable Integer hidden) {}

    private ProducerRecord<byte[], byte[]> record(CallFacts run, Said said) {
        Ruling ruling = run.ruling();
        PolicyDecision decision = ruling == null ? null : ruling.basis().decision();
        String instance = run.call().arrival().call().instanceKey();
        AuditEvent event = new AuditEvent(AuditEvent.Kind.VERDICT, said.action(), said.by(), limited(said.reason()),
                null, null, call(run), said.handle(), said.rule(), decision == null ? null : stages(decision),
                said.policyDigest(), run.isSensitive(), said.hidden(), null, null, labels(ruling), writer.worker(),
                clock.instant());
        return writer.byKey(Topic.AUDIT, instance, EVENTS.write(event), writer.headers(EventType.TOOL_AUDIT, run.at(),
                instance, run.context()));
    }

    private static @Nullable List<AddedLabel> labels(@Nullable Ruling ruling) {
        return ruling == null || ruling instanceof Ruling.Allowed || ruling.basis().labels().isEmpty()
                ? null
                : ruling.basis().labels();
    }

    private static @Nullable Cause cause(@Nullable PolicyDecision decision) {
        return decision == null ? null : decision.verdict().cause();
    }

    private static List<AuditStage> stages(PolicyDecision decision) {
        return decision.stages().stream().map(AuditRecords::stage).toList();
    }

    private static AuditStage stage(StageResult result) {
        Cause cause = result.cause();
        return cause == null
                ? new AuditStage(result.stage().text(), null, null, null)
                : new AuditStage(result.stage().text(), cause.verdict().text(), cause.rule(), limited(cause.reason()));
    }

    private static AuditedCall call(CallFacts run) {
        ToolCall call = run.call().arrival().call();
        return new AuditedCall(call.id(), call.name(), run.source(), call.instanceKey(), call.agentName(),
                call.turnId(), call.stepId(), call.userId(), call.channelId(), run.call().fingerprint(),
                run.catalogDigest(), run.traceId());
    }

    private static @Nullable String limited(@Nullable String text) {
        return text == null ? null : ErrorText.limit(text, ErrorText.DEFAULT_LIMIT);
    }
}
