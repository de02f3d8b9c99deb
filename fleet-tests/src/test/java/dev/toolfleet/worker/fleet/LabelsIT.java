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
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.LabelOrder;
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
import static org.awaitility.Awaitility.await;

/// A model that has read hostile text and a secret asks a person before it can send, also at the next owner.
@EmbeddedKafkaTest
class LabelsIT {
    private static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);
    private static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);
    private static final WireCodec<AuditEvent> AUDIT = WireCodec.of(AuditEvent.class);
    private static final WireCodec<LabelOrder> ORDERS = WireCodec.of(LabelOrder.class);
    private static final String TAG = "labels";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private int calls;

    private static HandMade bundle(TestFleet fleet) {
        List<ObjectNode> all = new ArrayList<>(GuardedTools.resources());
        all.add(TestResources.agent(HandMade.AGENT, "Tool/web", "Tool/vault", "Tool/post"));
        return new HandMade(fleet).apply(all.toArray(ObjectNode[]::new));
    }

    private ToolResult call(TestFleet fleet, String tool, String instance) {
        ToolCall call = HandMade.call("c" + ++calls, tool, instance, "s1", 0, Map.of("tag", TAG));
        fleet.send(call);
        return fleet.result(call, any -> true);
    }

    @Test
    void bothLabelsOutliveTheirWorkerUntilAnOperatorClearsThem(KafkaFixture kafka) throws InterruptedException {
        try (TestFleet fleet = new TestFleet(kafka, folder, 1).with("group.sessionTimeout", "6s")) {
            HandMade hand = bundle(fleet);
            for (String instance : List.of("i", "other"))
                hand.step(instance, "s1", 0, hand.content(hand.items()));
            try (ChildJvm first = WorkerMain.start(fleet, folder, "w1")) {
                first.awaitReady(Duration.ofMinutes(3));
                assertThat(call(fleet, "web__echo", "i").status()).isEqualTo(ResultStatus.OK);
                assertThat(call(fleet, "post__write", "i").status()).as("one label alone").isEqualTo(ResultStatus.OK);
                assertThat(call(fleet, "vault__echo", "i").status()).isEqualTo(ResultStatus.OK);
                first.kill();
            }
            fleet.worker("w2");

            ToolResult asked = call(fleet, "post__write", "i");
            assertThat(asked.status()).isEqualTo(ResultStatus.PENDING);
            assertThat(String.valueOf(asked.output())).contains("\"label\":\"sensitive\",\"tool\":\"vault__echo\"")
                    .contains("\"label\":\"untrusted\",\"tool\":\"web__echo\"");
            AuditEvent event = fleet.first(Topic.AUDIT, record -> Optional.of(AUDIT.read(record.value()))
                    .filter(each -> each.action().equals("approval-requested")));
            assertThat(event.rule()).endsWith("/p/trust-guarded");
            assertThat(requireNonNull(event.labels())).extracting(AddedLabel::label)
                    .containsExactly("sensitive", "untrusted");
            assertThat(call(fleet, "post__write", "other").status()).as("another conversation")
                    .isEqualTo(ResultStatus.OK);

            approve(fleet, fleet.first(Topic.PENDING, record -> Optional.of(PENDING.read(record.value()))));
            ToolCall sent = HandMade.call(asked.toolCallId(), "post__write", "i", "s1", 0, Map.of("tag", TAG));
            assertThat(fleet.result(sent, ToolResult::isFinal).status()).isEqualTo(ResultStatus.OK);
            assertThat(call(fleet, "post__write", "i").status()).as("the approval was for one call")
                    .isEqualTo(ResultStatus.PENDING);

            fleet.send(Topic.OPERATOR, 0, "i", ORDERS.write(new LabelOrder("i", LabelOrder.CLEAR, 100,
                    List.of("untrusted"), "ann", "read by a person")));
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> call(fleet, "post__write", "i").status() == ResultStatus.OK);
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
