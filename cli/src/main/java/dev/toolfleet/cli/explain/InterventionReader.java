package dev.toolfleet.cli.explain;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.toolfleet.cli.explain.CallSnapshot.Cancelled;
import dev.toolfleet.cli.explain.CallSnapshot.Decided;
import dev.toolfleet.cli.explain.CallSnapshot.Ordered;
import dev.toolfleet.cli.explain.CallSnapshot.Waits;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.AuditedCall;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/// Reads the records of one call beside its results: rulings, decisions, cancellations, orders, a dead letter.
final class InterventionReader {
    private static final WireCodec<AuditEvent> AUDITS = WireCodec.of(AuditEvent.class);
    private static final WireCodec<Decision> DECISIONS = WireCodec.of(Decision.class);
    private static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);
    private static final WireCodec<CancelCall> CANCELS = WireCodec.of(CancelCall.class);
    private static final WireCodec<LaneOrder> ORDERS = WireCodec.of(LaneOrder.class);
    private static final Duration CLOCKS = Duration.ofMinutes(10);

    private final TopicScan scan;
    private final Topics topics;
    private final RecordedCall call;
    private @Nullable Decided decided;
    private @Nullable Instant resumedAt;
    private @Nullable Cancelled cancelled;
    private @Nullable Ordered ordered;
    private @Nullable String deadLetter;
    private final List<CallSnapshot.AuditedRuling> rulings = new ArrayList<>();

    InterventionReader(TopicScan scan, Topics topics, RecordedCall call) {
        this.scan = scan;
        this.topics = topics;
        this.call = call;
    }

    CallSnapshot.Said about(Optional<Waits> waits) {
        waits.filter(wait -> wait.pending().kind() == PendingCall.Kind.APPROVAL).ifPresent(wait -> {
            decision(wait.pending());
            resumed(wait.pending());
        });
        rulings();
        order();
        control(waits.map(wait -> wait.pending().handle()).orElse(null));
        deadLetter();
        return new CallSnapshot.Said(Optional.ofNullable(decided), Optional.ofNullable(resumedAt),
                Optional.ofNullable(cancelled), Optional.ofNullable(ordered), Optional.ofNullable(deadLetter), rulings);
    }

    /// The first counts.
    private void decision(PendingCall pending) {
        byte[] key = pending.handle().getBytes(StandardCharsets.UTF_8);
        scan.read(scan.since(all(Topic.DECISION), pending.createdAt().minus(CLOCKS)),
                Evidence.readable((record, value) -> {
                    if (decided == null && Arrays.equals(record.key(), key))
                        decided = new Decided(DECISIONS.read(value), Instant.ofEpochMilli(record.timestamp()));
                }));
    }

    private void resumed(PendingCall pending) {
        List<TopicPartition> one = List
                .of(new TopicPartition(topics.name(Topic.CALL_RESUMED), call.partition()));
        try {
            scan.read(scan.since(one, pending.createdAt().minus(CLOCKS)), Evidence.readable((record, value) -> {
                ResumedCall said = RESUMED.read(value);
                ResumedCall.Grant grant = said.grant();
                if (grant != null && said.callOffset() == call.offset() && grant.handle().equals(pending.handle()))
                    resumedAt = Instant.ofEpochMilli(record.timestamp());
            }));
        } catch (TopicAuthorizationException e) {
            // Analysts and operators may not read it; the decision has most of it.
        }
    }

    /// Events of the worker about this record, or about the same call as it was resumed.
    private void rulings() {
        byte[] key = call.call().instanceKey().getBytes(StandardCharsets.UTF_8);
        try {
            scan.read(scan.since(all(Topic.AUDIT), call.at().minus(CLOCKS)), Evidence.readable((record, value) -> {
                if (!Arrays.equals(record.key(), key))
                    return;
                AuditEvent event = AUDITS.read(value);
                if (isRuling(event) && isAbout(event.call(), Evidence.header(record, "ce_id")))
                    rulings.add(new CallSnapshot.AuditedRuling(event, Instant.ofEpochMilli(record.timestamp())));
            }));
        } catch (TopicAuthorizationException e) {
            // The other facts do not need it.
        }
    }

    private static boolean isRuling(AuditEvent event) {
        return event.kind() == AuditEvent.Kind.VERDICT
                && (event.action().equals(CallSnapshot.AuditedRuling.DENIED)
                        || event.action().equals(CallSnapshot.AuditedRuling.ASKED));
    }

    /// @param id of the event, by the record that the worker had when it decided
    private boolean isAbout(@Nullable AuditedCall about, @Nullable String id) {
        ToolCall asked = call.call();
        return about != null && id != null && about.toolCallId().equals(asked.id())
                && Objects.equals(about.turnId(), asked.turnId()) && Objects.equals(about.stepId(), asked.stepId())
                && Objects.equals(about.agentName(), asked.agentName())
                && (id.endsWith("-resumed") || id.equals(call.partition() + "-" + call.offset()));
    }

    private void control(@Nullable String handle) {
        byte[] key = call.call().instanceKey().getBytes(StandardCharsets.UTF_8);
        scan.read(scan.beginnings(all(Topic.CONTROL)), Evidence.readable((record, value) -> {
            if (!Arrays.equals(record.key(), key))
                return;
            Instant at = Instant.ofEpochMilli(record.timestamp());
            if (LaneOrder.isOne(value))
                return;
            CancelCall cancel = CANCELS.read(value);
            boolean meant = cancel.handle() == null
                    ? cancel.means(call.call(), !call.at().isAfter(at))
                    : cancel.handle().equals(handle);
            if (meant)
                cancelled = new Cancelled(cancel, at);
        }));
    }

    private void order() {
        byte[] key = call.call().instanceKey().getBytes(StandardCharsets.UTF_8);
        scan.read(scan.beginnings(all(Topic.OPERATOR)), Evidence.readable((record, value) -> {
            LaneOrder order = ORDERS.read(value);
            if (Arrays.equals(record.key(), key) && call.isAt(order.partition(), order.callOffset()))
                ordered = new Ordered(order, Instant.ofEpochMilli(record.timestamp()));
        }));
    }

    private void deadLetter() {
        String origin = Evidence.origin(topics, call);
        scan.read(scan.since(all(Topic.DEAD_LETTER), call.at().minus(CLOCKS)), record -> {
            if (Evidence.isOrigin(record, origin))
                deadLetter = String.valueOf(Evidence.header(record, WireHeaders.REASON));
        });
    }

    private List<TopicPartition> all(Topic topic) {
        return scan.partitions(topics.name(topic));
    }
}
