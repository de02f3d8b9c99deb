package dev.toolfleet.worker.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.app.Worker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// A call that a person has to approve, from the question to its one result.
@EmbeddedKafkaTest
class ApprovalIT {
    private static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);
    private static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);
    private static final WireCodec<AuditEvent> AUDIT = WireCodec.of(AuditEvent.class);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private static HandMade bundle(TestFleet fleet) {
        ObjectNode tool = TestResources.tool("t", TestTools.class, "write", "held");
        TestResources.export(tool, "write").put("requiresApproval", true);
        return new HandMade(fleet).apply(tool, TestResources.agent(HandMade.AGENT, "Tool/t"));
    }

    private static PendingCall pending(TestFleet fleet, ToolCall call) {
        return fleet.first(Topic.PENDING, record -> Optional.of(PENDING.read(record.value()))
                .filter(pending -> pending.call().id().equals(call.id())));
    }

    /// As the topology writes it.
    private static void approve(TestFleet fleet, PendingCall pending) {
        Approval asked = requireNonNull(pending.approval());
        fleet.send(Topic.CALL_RESUMED, pending.partition(), pending.call().instanceKey(),
                RESUMED.write(ResumedCall.approved(pending, new ResumedCall.Grant(pending.handle(),
                        asked.fingerprint(), asked.rule(), asked.rules(), asked.policyDigest(),
                        pending.catalogDigest(), "ann", Instant.now(), asked.operands()))));
    }

    @Test
    void approvedTwiceItRunsOnceAlsoWhenItsAgentHasMovedOn(KafkaFixture kafka) throws InterruptedException {
        try (TestFleet fleet = new TestFleet(kafka, folder, 2)) {
            HandMade hand = bundle(fleet);
            hand.step("i", "s1", 0, hand.content(hand.items()));
            fleet.worker("w1");
            ToolCall call = HandMade.call("c1", "t__write", "i", "s1", 0, Map.of("tag", "approved"));
            fleet.send(call);

            ToolResult question = fleet.result(call, result -> result.status() == ResultStatus.PENDING);
            assertThat(requireNonNull(question.output()).path("arguments").path("tag").asString())
                    .isEqualTo("approved");
            assertThat(TestTools.probe("approved").started).isEmpty();
            PendingCall pending = pending(fleet, call);
            assertThat(pending.handle()).isEqualTo(question.handle());
            // Its agent's newest steps offer nothing any more.
            String nothing = hand.content(List.of());
            for (int step = 2; step < 12; step++)
                hand.step("i", "s" + step, step - 1, nothing);
            approve(fleet, pending);
            approve(fleet, pending);

            ToolResult result = fleet.result(call, ToolResult::isFinal);
            assertThat(result.status()).as(String.valueOf(result.error())).isEqualTo(ResultStatus.OK);
            assertThat(result.callOffset()).isEqualTo(question.callOffset());
            assertThat(result.fingerprint()).isEqualTo(question.fingerprint());
            assertThat(result.handle()).as("what it waited for").isEqualTo(question.handle());
            hand.step("i", "s20", 19, hand.content(hand.items()));
            ToolCall next = HandMade.call("c2", "t__write", "i", "s20", 19, Map.of("tag", "approved"));
            fleet.send(next);
            fleet.result(next, any -> true);
            assertThat(fleet.results(3)).extracting(ToolResult::toolCallId).containsExactly("c1", "c1", "c2");
            assertThat(TestTools.probe("approved").started).containsExactly("c1");

            List<AuditEvent> events = new ArrayList<>();
            fleet.first(Topic.AUDIT, record -> {
                events.add(AUDIT.read(record.value()));
                return events.size() < 3 ? Optional.empty() : Optional.of(events);
            });
            assertThat(events).extracting(AuditEvent::action).containsExactly("approval-requested", "approval-used",
                    "approval-requested");
            assertThat(events.get(1).by()).isEqualTo("ann");
            assertThat(events.get(1).handle()).isEqualTo(pending.handle());
            assertThat(requireNonNull(events.getFirst().stages())).hasSize(9);
        }
    }

    /// The red team's finding 3: a file is approved by its content, and changed before it runs.
    @Test
    void aFileThatChangesAfterItWasApprovedIsAskedAboutAnew(KafkaFixture kafka)
            throws InterruptedException, IOException {
        Path script = Files.writeString(folder.resolve("deploy.sh"), "echo harmless");
        try (TestFleet fleet = new TestFleet(kafka, folder, 2)) {
            HandMade hand = bundle(fleet);
            hand.step("i", "s1", 0, hand.content(hand.items()));
            fleet.worker("w1");
            ToolCall call = HandMade.call("c1", "t__write", "i", "s1", 0,
                    Map.of("tag", "bound", "file", script.toString()));
            fleet.send(call);
            PendingCall first = pending(fleet, call);
            assertThat(requireNonNull(first.output()).path("operands").path(0).path("text").asString())
                    .isEqualTo("echo harmless");
            assertThat(requireNonNull(first.approval()).isShownWhole()).isTrue();

            Files.writeString(script, "echo EVIL");
            approve(fleet, first);

            PendingCall second = fleet.first(Topic.PENDING, record -> Optional.ofNullable(record.value())
                    .map(PENDING::read).filter(pending -> !pending.handle().equals(first.handle())));
            assertThat(requireNonNull(second.output()).path("operands").path(0).path("text").asString())
                    .isEqualTo("echo EVIL");
            assertThat(TestTools.probe("bound").started).isEmpty();
            approve(fleet, second);
            assertThat(fleet.result(call, ToolResult::isFinal).status()).isEqualTo(ResultStatus.OK);
            assertThat(TestTools.probe("bound").started).containsExactly("c1");

            ToolCall missing = HandMade.call("c2", "t__write", "i", "s1", 0,
                    Map.of("tag", "bound", "file", folder.resolve("none.sh").toString()));
            fleet.send(missing);
            assertThat(fleet.result(missing, any -> true).status()).as("nobody is asked").isEqualTo(ResultStatus.ERROR);
        }
    }

    @Test
    void whatWasApprovedForAWorkerThatGoesBeforeItRunsRunsOnTheNext(KafkaFixture kafka) throws InterruptedException {
        try (TestFleet fleet = new TestFleet(kafka, folder, 2).with("drain.timeout", "100ms")) {
            HandMade hand = bundle(fleet);
            hand.step("i", "s1", 0, hand.content(hand.items()));
            Worker first = fleet.worker("w1");
            ToolCall call = HandMade.call("c1", "t__write", "i", "s1", 0, Map.of("tag", "heir"));
            fleet.send(call);
            PendingCall pending = pending(fleet, call);
            ToolCall busy = HandMade.call("hold", "t__held", "i", "s1", 0, Map.of("tag", "heir"));
            fleet.send(busy);
            await().atMost(Duration.ofMinutes(1)).until(() -> !TestTools.probe("heir").started.isEmpty());
            approve(fleet, pending);
            // Its lane is taken, so it is read and waits there.
            first.close();

            fleet.worker("w2");

            ToolResult result = fleet.result(call, ToolResult::isFinal);
            assertThat(result.status()).as(String.valueOf(result.error())).isEqualTo(ResultStatus.OK);
            assertThat(TestTools.probe("heir").started).containsExactly("hold", "c1");
        }
    }
}
