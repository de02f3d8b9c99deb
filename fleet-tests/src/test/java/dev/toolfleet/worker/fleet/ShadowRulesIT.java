package dev.toolfleet.worker.fleet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
import dev.toolfleet.worker.telemetry.CallMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Rules in shadow on a worker: calls end as without them, and `tool.audit` has what would have been.
@EmbeddedKafkaTest
class ShadowRulesIT {
    private static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);
    private static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);
    private static final WireCodec<AuditEvent> AUDIT = WireCodec.of(AuditEvent.class);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private static HandMade bundle(TestFleet fleet) {
        ObjectNode tool = TestResources.tool("t", TestTools.class, "write", "echo");
        TestResources.export(tool, "write").put("requiresApproval", true);
        ObjectNode policy = TestResources.resource("ToolPolicy", "p");
        policy.putObject("spec").putArray("rules").addObject().put("id", "soon").put("tool", "t__*")
                .put("verdict", "deny").put("mode", "shadow").put("reason", "Soon.");
        return new HandMade(fleet).apply(tool, policy, TestResources.agent(HandMade.AGENT, "Tool/t"));
    }

    @Test
    void aDenialInShadowLeavesOneEventForEachCallAndChangesNothing(KafkaFixture kafka) throws InterruptedException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (TestFleet fleet = new TestFleet(kafka, folder, 2)) {
            HandMade hand = bundle(fleet);
            hand.step("i", "s1", 0, hand.content(hand.items()));
            fleet.worker("w1", registry);
            ToolCall plain = HandMade.call("c1", "t__echo", "i", "s1", 0, Map.of("secret", "in the arguments"));
            ToolCall asked = HandMade.call("c2", "t__write", "i", "s1", 0, Map.of("tag", "shadow"));
            fleet.send(plain);
            fleet.send(asked);

            assertThat(fleet.result(plain, ToolResult::isFinal).status()).isEqualTo(ResultStatus.OK);
            approve(fleet, fleet.first(Topic.PENDING, record -> Optional.of(PENDING.read(record.value()))
                    .filter(pending -> pending.call().id().equals("c2"))));
            assertThat(fleet.result(asked, ToolResult::isFinal).status()).isEqualTo(ResultStatus.OK);

            List<AuditEvent> events = new ArrayList<>();
            fleet.first(Topic.AUDIT, record -> {
                assertThat(new String(record.value(), StandardCharsets.UTF_8))
                        .doesNotContain("in the arguments");
                events.add(AUDIT.read(record.value()));
                return events.size() < 4 ? Optional.empty() : Optional.of(events);
            });
            assertThat(events).extracting(event -> requireNonNull(event.call()).toolCallId() + " " + event.action())
                    .containsExactly("c1 shadow-denied", "c2 approval-requested", "c2 shadow-denied",
                            "c2 approval-used");
            assertThat(events.getFirst().rule()).endsWith("/p/soon");
            assertThat(requireNonNull(events.getFirst().stages())).hasSize(9)
                    .allMatch(stage -> !"deny".equals(stage.verdict()));
            await().untilAsserted(() -> assertThat(registry.get(CallMeters.SHADOWED)
                    .tags(CallMeters.VERDICT, "deny").counter().count()).isEqualTo(2));
        }
    }

    /// As the topology writes it.
    private static void approve(TestFleet fleet, PendingCall pending) {
        Approval asked = requireNonNull(pending.approval());
        fleet.send(Topic.CALL_RESUMED, pending.partition(), pending.call().instanceKey(),
                RESUMED.write(ResumedCall.approved(pending, new ResumedCall.Grant(pending.handle(),
                        asked.fingerprint(), asked.rule(), asked.rules(), asked.policyDigest(),
                        pending.catalogDigest(), "ann", Instant.now(), asked.operands()))));
    }
}
