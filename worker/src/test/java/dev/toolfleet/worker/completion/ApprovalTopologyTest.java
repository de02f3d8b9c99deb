package dev.toolfleet.worker.completion;

import java.time.Duration;
import java.util.List;

import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.AuditedCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

import static dev.toolfleet.worker.completion.Handles.ASKED;
import static dev.toolfleet.worker.completion.Handles.CONVERSATION;
import static dev.toolfleet.worker.completion.Handles.EXPIRES;
import static dev.toolfleet.worker.completion.Handles.HANDLE;
import static dev.toolfleet.worker.completion.Handles.START;
import static dev.toolfleet.worker.completion.Handles.approve;
import static dev.toolfleet.worker.completion.Handles.asking;
import static dev.toolfleet.worker.completion.Handles.completed;
import static dev.toolfleet.worker.completion.Handles.error;
import static dev.toolfleet.worker.completion.Handles.reject;
import static dev.toolfleet.worker.completion.Handles.waiting;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// Decisions about calls, in the topology.
class ApprovalTopologyTest extends TopologyFixture {
    @Test
    void anApprovedCallGoesBackToItsPartitionWholeWithItsGrant() {
        send(asking(7));
        send(approve());

        TestRecord<byte[], byte[]> resumed = one(Topic.CALL_RESUMED);
        assertThat(resumed.key()).isEqualTo(utf8(CONVERSATION));
        assertThat(KafkaHeaders.text(resumed.headers(), "ce_id")).isEqualTo("3-7-" + HANDLE);
        ResumedCall call = RESUMED.read(resumed.value());
        assertThat(call.outcome()).isNull();
        assertThat(call.callOffset()).isEqualTo(7);
        assertThat(call.call()).isEqualTo(asking(7).call());
        assertThat(call.origin()).isEqualTo(asking(7).origin());
        assertThat(call.grant()).isEqualTo(new ResumedCall.Grant(HANDLE, ASKED.fingerprint(), ASKED.rule(),
                ASKED.rules(), ASKED.policyDigest(), "sha256:c", "ann", START));
        assertThat(read(Topic.PENDING)).singleElement()
                .satisfies(tombstone -> assertThat(tombstone.value()).isNull());
        assertThat(count(WorkerMeters.HANDLES_ENDED, WorkerMeters.HOW, "approved")).isEqualTo(1);
        assertThat(entries(HandleStores.CALLS)).isZero();
    }

    @Test
    void whatIsNotShownWholeIsApprovedOnlyByADecisionThatSaysSo() {
        send(asking(7).hiding(2));
        send(approve());
        assertThat(letters()).containsOnlyKeys("hidden");
        assertThat(outcomes()).isEmpty();
        send(approve().evenIfHidden());

        assertThat(RESUMED.read(one(Topic.CALL_RESUMED).value()).grant()).isNotNull();
        assertThat(events()).satisfiesExactly(refused -> {
            assertThat(refused.action()).isEqualTo("approval-refused");
            assertThat(refused.by()).isEqualTo("ann");
            assertThat(refused.hidden()).isEqualTo(2);
        }, approved -> {
            assertThat(approved.action()).isEqualTo("approved");
            assertThat(approved.hidden()).isEqualTo(2);
        });
    }

    @Test
    void theFirstDecisionWinsAndEveryOtherIsLate() {
        send(asking(7));
        send(approve());
        send(approve());
        send(reject());

        assertThat(outcomes()).hasSize(1);
        assertThat(read(Topic.DEAD_LETTER)).hasSize(2).allSatisfy(letter -> assertThat(
                KafkaHeaders.text(letter.headers(), WireHeaders.REASON)).isEqualTo("late"));
        assertThat(count(WorkerMeters.HANDLES_DEAD_LETTERS, WorkerMeters.REASON, "late")).isEqualTo(2);
        assertThat(events()).extracting(AuditEvent::action).containsExactly("approved");
    }

    @Test
    void aRejectedCallEndsWithWhoAndWhy() {
        asked.sensitive = true;
        send(asking(7));
        send(reject());

        ToolCall call = asking(7).call();
        assertThat(error(end())).satisfies(error -> {
            assertThat(error.code()).isEqualTo("E_TOOL_APPROVAL_REJECTED");
            assertThat(error.message()).contains("ben: not today");
        });
        assertThat(events()).containsExactly(new AuditEvent(AuditEvent.Kind.DECISION, "rejected", "ben", "not today",
                null, null, new AuditedCall(call.id(), call.name(), null, CONVERSATION, "coder", "turn", "step", null,
                        null, ASKED.fingerprint(), "sha256:c", null),
                HANDLE, ASKED.rule(), null, ASKED.policyDigest(), true, 0, "w1", START));
        assertThat(count(WorkerMeters.HANDLES_ENDED, WorkerMeters.HOW, "rejected")).isEqualTo(1);
    }

    @Test
    void whatNobodyDecidesExpiresAndADecisionAfterwardsIsLate() {
        send(asking(7));
        advance(Duration.between(START, EXPIRES));

        assertThat(error(end()).code()).isEqualTo("E_TOOL_APPROVAL_EXPIRED");
        assertThat(events()).singleElement().satisfies(event -> {
            assertThat(event.action()).isEqualTo("approval-expired");
            assertThat(event.by()).isNull();
            assertThat(event.occurredAt()).isEqualTo(EXPIRES);
        });
        send(approve());
        assertThat(letters()).containsOnlyKeys("late");
        assertThat(outcomes()).isEmpty();
    }

    @Test
    void aDecisionThatIsReadAfterTheDeadlineIsLateEvenIfNobodyHasLookedYet() {
        send(asking(7));
        now.set(EXPIRES);
        send(approve());

        assertThat(error(end()).code()).isEqualTo("E_TOOL_APPROVAL_EXPIRED");
        assertThat(letters()).containsOnlyKeys("late");
        advance(Duration.ofSeconds(1));
        assertThat(outcomes()).isEmpty();
    }

    @Test
    void aDecisionBeforeThePendingRecordWaitsForItAndFindsTheWholeCall() {
        send(approve());
        advance(Duration.ofMinutes(1));
        send(asking(7));

        assertThat(outcomes()).singleElement().satisfies(call -> {
            assertThat(requireNonNull(call.grant()).at()).isEqualTo(START.plusSeconds(60));
            assertThat(call.call().argsObject()).isEqualTo(asking(7).call().argsObject()).isNotEmpty();
        });
        assertThat(read(Topic.PENDING)).hasSize(1);
    }

    @Test
    void whatDecidesNothingIsADeadLetter() {
        send(asking(7));
        send(Topic.DECISION, utf8("k"), utf8("not json"));
        send(Topic.DECISION, utf8("k"), null);
        send(Topic.DECISION, utf8("k"), utf8("{\"handle\":\"h-1\",\"decision\":\"maybe\"}"));
        send(Topic.DECISION, utf8("k"), utf8("{\"decision\":\"approve\"}"));
        send(Topic.DECISION, utf8("k"), utf8("{\"handle\":\"" + "h".repeat(5_000) + "\",\"decision\":\"approve\"}"));

        assertThat(letters()).hasSize(5).allSatisfy((reason, origin) -> {
            assertThat(reason).startsWith("malformed: ");
            assertThat(origin).startsWith("acme.tool.decision/0/");
        });
        send(completed(null));
        assertThat(letters()).containsOnlyKeys("wrong-kind");
        assertThat(outcomes()).isEmpty();
        send(approve());
        assertThat(outcomes()).hasSize(1);
    }

    @Test
    void aDecisionAboutWorkIsOfTheWrongKind() {
        send(waiting(7));
        send(approve());

        assertThat(letters()).containsOnlyKeys("wrong-kind");
        send(completed(null));
        assertThat(outcomes()).hasSize(1);
        assertThat(events()).isEmpty();
    }

    @Test
    void aRejectionIsOneHoweverLongItsReason() {
        send(Decision.reject(HANDLE, "ben", "r".repeat(900_000)));
        assertThat(entries(HandleStores.HANDLES)).isEqualTo(1);
        send(asking(7));

        Completion end = end();
        assertThat(error(end).code()).isEqualTo("E_TOOL_APPROVAL_REJECTED");
        assertThat(error(end).message()).hasSizeLessThan(Decision.MAX_REASON + 100);
    }

    @Test
    void anEventFindsItsCallEvenIfTheCallersNamesAloneFillARecord() {
        ToolCall call = asking(7).call();
        ToolCall named = new ToolCall(call.id(), call.name(), call.args(), CONVERSATION, call.agentName(),
                call.turnId(), call.stepId(), 1, null, "u".repeat(Topic.AUDIT.maxRecordBytes()), null, null, null,
                null, null);
        send(asking(7).forCall(named, null));
        send(approve());

        assertThat(events()).singleElement().satisfies(event -> {
            assertThat(event.handle()).isEqualTo(HANDLE);
            assertThat(requireNonNull(event.call()).toolCallId()).isEqualTo(call.id());
            assertThat(requireNonNull(event.call()).userId()).isNull();
        });
        assertThat(outcomes()).singleElement().satisfies(resumed -> assertThat(resumed.call()).isEqualTo(named));
    }

    @Test
    void anApprovalThatDoesNotSayWhatWasAskedRunsNothing() {
        send(waiting(7, PendingCall.Kind.APPROVAL, null, null));
        send(approve());

        ResumedCall ended = outcomes().getFirst();
        assertThat(ended.grant()).isNull();
        assertThat(error(requireNonNull(ended.outcome()))).satisfies(error -> {
            assertThat(error.code()).isEqualTo("E_TOOL_DENIED");
            assertThat(error.message()).contains("approved by ann").contains("was not run");
        });
        assertThat(events()).extracting(AuditEvent::action).isEqualTo(List.of("denied"));
    }
}
