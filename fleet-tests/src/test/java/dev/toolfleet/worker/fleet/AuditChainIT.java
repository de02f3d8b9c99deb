package dev.toolfleet.worker.fleet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.client.audit.ChainFinding;
import dev.toolfleet.client.audit.ChainHead;
import dev.toolfleet.client.audit.ChainVerifier;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.embedded.process.ChildJvm;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.app.Worker;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/// The audit of a fleet whose workers are killed, join and leave under load is whole.
@EmbeddedKafkaTest
class AuditChainIT {
    private static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);
    private static final WireCodec<Decision> DECISIONS = WireCodec.of(Decision.class);
    private static final int INSTANCES = 6;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final List<ToolCall> sent = new ArrayList<>();

    private void denied(TestFleet fleet, int number) {
        for (int i = 0; i < number; i++) {
            int index = sent.size();
            ToolCall call = HandMade.call("c" + index, "t__held", "i" + index % INSTANCES, "s1", 0, Map.of("tag", "x"));
            sent.add(call);
            fleet.send(call);
        }
    }

    private static void approve(TestFleet fleet, ToolCall call) {
        PendingCall pending = fleet.first(Topic.PENDING, record -> Optional.ofNullable(record.value())
                .map(PENDING::read).filter(each -> each.call().id().equals(call.id())));
        fleet.send(Topic.DECISION, 0, pending.handle(),
                DECISIONS.write(Decision.approve(pending.handle(), "ann", null)));
    }

    private static ChainVerifier verify(KafkaFixture kafka, List<ChainFinding> findings) {
        try (TopicScan scan = TopicScan.open(Map.of("bootstrap.servers", kafka.bootstrapServers()),
                Duration.ofSeconds(30), TopicScan.Gauge.SILENT)) {
            Map<TopicPartition, Long> from = scan.beginnings(scan.partitions(kafka.topic(Topic.AUDIT.baseName())));
            Map<Integer, Long> first = new HashMap<>();
            from.forEach((partition, offset) -> first.put(partition.partition(), offset));
            ChainVerifier verifier = new ChainVerifier(first, findings::add);
            scan.read(from, verifier::accept);
            return verifier;
        }
    }

    @Test
    void killsRebalancesAndRestartsLeaveChainsThatHold(KafkaFixture kafka) throws InterruptedException {
        ObjectNode policy = TestResources.resource("ToolPolicy", "p").put("apiVersion", "toolfleet.dev/v1");
        policy.withObject("spec").set("rules", Json.MAPPER.readTree("""
                [{"tool": "t__held", "verdict": "deny"}, {"tool": "t__write", "verdict": "require-approval"}]"""));
        try (TestFleet fleet = new TestFleet(kafka, folder, 4).with("group.sessionTimeout", "6s")) {
            HandMade hand = new HandMade(fleet).apply(TestResources.tool("t", TestTools.class, "write", "held"),
                    TestResources.agent(HandMade.AGENT, "Tool/t"), policy);
            for (int i = 0; i < INSTANCES; i++)
                hand.step("i" + i, "s1", 0, hand.content(hand.items()));
            ToolCall asked = HandMade.call("asked", "t__write", "i0", "s1", 0, Map.of("tag", "audit chain"));
            try (ChildJvm first = WorkerMain.start(fleet, folder, "w1")) {
                first.awaitReady(Duration.ofMinutes(3));
                denied(fleet, 40);
                fleet.send(asked);
                fleet.result(sent.getFirst(), ToolResult::isFinal);
                denied(fleet, 40);

                first.kill();
            }
            denied(fleet, 40);
            Worker second = fleet.worker("w2");
            approve(fleet, asked);
            fleet.result(asked, ToolResult::isFinal);
            Worker third = fleet.worker("w3");
            denied(fleet, 80);
            second.close();
            denied(fleet, 40);
            // A denial each; the approved call has two.
            fleet.results(sent.size() + 2);
            third.close();

            List<ChainFinding> findings = new ArrayList<>();
            ChainVerifier verifier = verify(kafka, findings);

            assertThat(findings).isEmpty();
            assertThat(verifier.unchained()).isZero();
            assertThat(verifier.records()).as("a denial each, and three of the approval")
                    .isGreaterThan(sent.size() + 2);
            assertThat(verifier.heads()).filteredOn(head -> head.writer().startsWith("/toolfleet/worker/w1#"))
                    .isNotEmpty().as("killed").noneMatch(ChainHead::closed);
            assertThat(verifier.heads()).filteredOn(head -> head.writer().startsWith("/toolfleet/worker/w3#"))
                    .isNotEmpty().as("closed in order").allMatch(ChainHead::closed);
        }
    }
}
