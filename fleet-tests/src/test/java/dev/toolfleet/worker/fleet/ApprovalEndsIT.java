package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.WireHeaders;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.app.Worker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Every way in which a call that needs approval ends, by decisions on `tool.decision` as people write them: each has one
/// final result.
@EmbeddedKafkaTest
class ApprovalEndsIT {
    private static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);
    private static final WireCodec<Decision> DECISIONS = WireCodec.of(Decision.class);
    private static final String NEVER_RUN = "not run";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    /// Probes are shared by all tests of this JVM.
    private static String tag(String instance) {
        return "ends/" + instance;
    }

    private static ObjectNode tool() {
        ObjectNode tool = TestResources.tool("t", TestTools.class, "write", "held");
        TestResources.export(tool, "write").put("requiresApproval", true);
        return tool;
    }

    private static ObjectNode policy(String rules) {
        ObjectNode policy = TestResources.resource("ToolPolicy", "p").put("apiVersion", "toolfleet.dev/v1");
        policy.withObject("spec").set("rules", Json.MAPPER.readTree(rules));
        return policy;
    }

    private static HandMade apply(HandMade hand, ObjectNode... policies) {
        List<ObjectNode> all = new ArrayList<>(List.of(tool(), TestResources.agent(HandMade.AGENT, "Tool/t")));
        all.addAll(List.of(policies));
        return hand.apply(all.toArray(ObjectNode[]::new));
    }

    private static void change(Worker worker, HandMade hand, ObjectNode policy) {
        long before = worker.revision("acme");
        apply(hand, policy);
        await().atMost(Duration.ofMinutes(1)).until(() -> worker.revision("acme") > before);
    }

    private static ToolCall ask(TestFleet fleet, HandMade hand, String instance) {
        ToolCall call = HandMade.call("c-" + instance, "t__write", instance, "s1", 0, Map.of("tag", tag(instance)));
        hand.step(instance, "s1", 0, hand.content(hand.items()));
        fleet.send(call);
        return call;
    }

    private static PendingCall asked(TestFleet fleet, ToolCall call) {
        return fleet.first(Topic.PENDING, record -> record.value() == null
                ? Optional.empty()
                : Optional.of(PENDING.read(record.value())).filter(pending -> pending.call().id().equals(call.id())));
    }

    private static void decide(TestFleet fleet, Decision decision) {
        fleet.send(Topic.DECISION, Math.floorMod(decision.handle().hashCode(), fleet.partitions), decision.handle(),
                DECISIONS.write(decision));
    }

    private static Decision yes(PendingCall pending) {
        return Decision.approve(pending.handle(), "ann", "looked at it");
    }

    private static ToolResult end(TestFleet fleet, ToolCall call) {
        return fleet.result(call, ToolResult::isFinal);
    }

    private static String code(ToolResult result) {
        return requireNonNull(result.error()).code();
    }

    private static void letter(TestFleet fleet, String handle, String reason) {
        fleet.first(Topic.DEAD_LETTER, record -> Optional.of(record)
                .filter(each -> new String(each.key(), UTF_8).equals(handle))
                .map(each -> new String(each.headers().lastHeader(WireHeaders.REASON).value(), UTF_8))
                .filter(why -> why.startsWith(reason)));
    }

    @Test
    void eachEndsOnceHoweverItIsDecided(KafkaFixture kafka) throws InterruptedException {
        try (TestFleet fleet = new TestFleet(kafka, folder, 2)) {
            HandMade hand = apply(new HandMade(fleet));
            Worker worker = fleet.worker("w1");
            ToolCall approved = ask(fleet, hand, "approved");
            ToolCall rejected = ask(fleet, hand, "rejected");
            ToolCall twice = ask(fleet, hand, "twice");
            ToolCall moved = ask(fleet, hand, "moved on");
            ToolCall unrelated = ask(fleet, hand, "unrelated");
            ToolCall denied = ask(fleet, hand, "denied");
            ToolCall expired = HandMade.call("c-expired", "t__write", "expired", "s1", 0, Map.of("tag", tag("expired")))
                    .until(Instant.now().plus(Duration.ofSeconds(20)));
            hand.step("expired", "s1", 0, hand.content(hand.items()));
            fleet.send(expired);

            decide(fleet, yes(asked(fleet, approved)));
            decide(fleet, Decision.reject(asked(fleet, rejected).handle(), "ben", "too much"));
            PendingCall again = asked(fleet, twice);
            decide(fleet, yes(again));
            decide(fleet, yes(again));
            PendingCall late = asked(fleet, expired);
            assertThat(code(end(fleet, expired))).isEqualTo("E_TOOL_APPROVAL_EXPIRED");
            decide(fleet, yes(late));
            PendingCall behind = asked(fleet, moved);
            hand.step("moved on", "s2", 1, hand.content(List.of()));
            hand.step("moved on", "s3", 2, hand.content(List.of()));
            decide(fleet, yes(behind));
            PendingCall other = asked(fleet, unrelated);
            PendingCall refused = asked(fleet, denied);
            change(worker, hand, policy("""
                    [{"id": "elsewhere", "tool": "t__held", "verdict": "deny", "reason": "Another tool."},
                     {"id": "stop", "tool": "t__write", "verdict": "deny", "reason": "Not for them.",
                      "scope": {"userId": "nobody"}}]"""));
            decide(fleet, yes(other));
            for (ToolCall allowed : List.of(unrelated, approved, twice, moved))
                assertThat(end(fleet, allowed).status()).as(allowed.id()).isEqualTo(ResultStatus.OK);
            change(worker, hand, policy("""
                    [{"id": "stop", "tool": "t__write", "verdict": "deny", "reason": "Stopped since."}]"""));
            decide(fleet, yes(refused));

            assertThat(code(end(fleet, rejected))).isEqualTo("E_TOOL_APPROVAL_REJECTED");
            letter(fleet, again.handle(), "late");
            letter(fleet, late.handle(), "late");
            assertThat(code(end(fleet, denied))).isEqualTo("E_TOOL_DENIED");
            for (ToolCall ran : List.of(approved, twice, moved, unrelated))
                assertThat(TestTools.probe(tag(ran.instanceKey())).started).containsExactly(ran.id());
            for (ToolCall kept : List.of(rejected, expired, denied))
                assertThat(TestTools.probe(tag(kept.instanceKey())).started).as(NEVER_RUN).isEmpty();
            // A second end would come before the last of these.
            assertThat(fleet.results(14)).filteredOn(ToolResult::isFinal).extracting(ToolResult::toolCallId)
                    .doesNotHaveDuplicates().hasSize(7);
        }
    }

    @Test
    void whatIsApprovedWhenItsWorkerIsKilledRunsOnceOnTheNext(KafkaFixture kafka) throws InterruptedException {
        try (TestFleet fleet = new TestFleet(kafka, folder, 2).with("group.sessionTimeout", "6s")) {
            HandMade hand = apply(new HandMade(fleet));
            ToolCall call;
            try (ChildJvm first = WorkerMain.start(fleet, folder, "w1")) {
                first.awaitReady(Duration.ofMinutes(3));
                hand.step("heir of the killed", "s1", 0, hand.content(hand.items()));
                call = HandMade.call("c1", "t__write", "heir of the killed", "s1", 0, Map.of("tag", tag("killed")));
                fleet.send(call);
                PendingCall pending = asked(fleet, call);
                // Its lane is taken, so that it is read, and waits there.
                fleet.send(
                        HandMade.call("hold", "t__held", "heir of the killed", "s1", 0, Map.of("tag", tag("killed"))));
                fleet.first(Topic.JOURNAL, record -> Optional.of(new String(record.key(), UTF_8))
                        .filter(identity -> record.value() != null && identity.contains("hold")));
                decide(fleet, yes(pending));
                fleet.first(Topic.CALL_RESUMED, Optional::of);

                first.kill();
            }
            fleet.worker("w2");

            assertThat(end(fleet, call).status()).isEqualTo(ResultStatus.OK);
            assertThat(TestTools.probe(tag("killed")).started).containsExactly("c1");
            assertThat(fleet.results(3)).extracting(ToolResult::toolCallId).containsExactlyInAnyOrder("c1", "hold",
                    "c1");
        }
    }
}
