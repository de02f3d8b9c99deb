package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.TestResources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// A call that two people must approve, while the worker that counted the first is killed.
@EmbeddedKafkaTest
class FourEyesIT {
    private static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);
    private static final WireCodec<Decision> DECISIONS = WireCodec.of(Decision.class);
    private static final WireCodec<AuditEvent> AUDIT = WireCodec.of(AuditEvent.class);
    private static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);
    private static final String TAG = "four eyes";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private static void approve(TestFleet fleet, PendingCall pending, String by) {
        fleet.send(Topic.DECISION, 0, pending.handle(), DECISIONS.write(Decision.approve(pending.handle(), by, null)));
    }

    private static AuditEvent event(TestFleet fleet, String action, String by) {
        return fleet.first(Topic.AUDIT, record -> Optional.of(AUDIT.read(record.value()))
                .filter(event -> event.action().equals(action) && by.equals(event.by())));
    }

    private static PendingCall pending(TestFleet fleet, int approved) {
        return fleet.first(Topic.PENDING, record -> Optional.ofNullable(record.value()).map(PENDING::read)
                .filter(call -> people(call) == approved));
    }

    private static int people(PendingCall call) {
        var people = requireNonNull(call.approval()).approvedBy();
        return people == null ? 0 : people.size();
    }

    @Test
    void twoPeopleAreCountedAcrossTheDeathOfAWorker(KafkaFixture kafka) throws InterruptedException {
        ObjectNode policy = TestResources.resource("ToolPolicy", "p").put("apiVersion", "toolfleet.dev/v1");
        policy.withObject("spec").set("rules", Json.MAPPER.readTree("""
                [{"id": "two", "tool": "t__write", "verdict": "require-approval",
                  "approvals": {"quorum": 2, "notRequester": true}}]"""));
        try (TestFleet fleet = new TestFleet(kafka, folder, 2).with("group.sessionTimeout", "6s")) {
            HandMade hand = new HandMade(fleet).apply(TestResources.tool("t", TestTools.class, "write", "held"),
                    TestResources.agent(HandMade.AGENT, "Tool/t"), policy);
            ToolCall plain = HandMade.call("c1", "t__write", "i", "s1", 0, Map.of("tag", TAG));
            ToolCall call = new ToolCall(plain.id(), plain.name(), plain.args(), plain.instanceKey(),
                    plain.agentName(), plain.turnId(), plain.stepId(), plain.stepIndex(), null, "eve", null, null,
                    null, null, null);
            PendingCall pending;
            try (ChildJvm first = WorkerMain.start(fleet, folder, "w1")) {
                first.awaitReady(Duration.ofMinutes(3));
                hand.step("i", "s1", 0, hand.content(hand.items()));
                fleet.send(call);
                pending = pending(fleet, 0);
                assertThat(requireNonNull(pending.approval()).notBy()).isEqualTo("eve");
                approve(fleet, pending, "ann");
                assertThat(event(fleet, "approval-counted", "ann").approvals()).isEqualTo(1);

                first.kill();
            }
            fleet.worker("w2");
            approve(fleet, pending, "ann");
            assertThat(event(fleet, "approval-refused", "ann").reason()).contains("1 of 2 people");
            approve(fleet, pending, "eve");
            event(fleet, "approval-refused", "eve");
            assertThat(TestTools.probe(TAG).started).isEmpty();
            assertThat(pending(fleet, 1).handle()).isEqualTo(pending.handle());

            approve(fleet, pending, "ben");

            assertThat(fleet.result(call, ToolResult::isFinal).status()).isEqualTo(ResultStatus.OK);
            assertThat(TestTools.probe(TAG).started).containsExactly("c1");
            ResumedCall resumed = fleet.first(Topic.CALL_RESUMED, record -> Optional.of(RESUMED.read(record.value())));
            assertThat(requireNonNull(resumed.grant()).approvers()).containsExactly("ann", "ben");
        }
    }
}
