package dev.toolfleet.worker.fleet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AuditEvent;
import dev.toolfleet.wire.LaneOrder;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.app.Worker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// Lanes that do not get over a call, and operators who help them. One fleet for all: each test has an instance of its
/// own.
@EmbeddedKafkaTest
class LaneOrdersIT {
    private static final WireCodec<LaneOrder> ORDERS = WireCodec.of(LaneOrder.class);
    private static final WireCodec<AuditEvent> AUDITS = WireCodec.of(AuditEvent.class);
    private static final WireCodec<ToolCall> CALLS = WireCodec.of(ToolCall.class);
    private static final ToolCall UNREAD = TestFleet.call("c1", "t__write", "unread-order",
            Map.of("tag", "unread-order"));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path folder;
    private static @Nullable TestFleet shared;

    @BeforeAll
    static void start(KafkaFixture kafka) throws InterruptedException {
        TestFleet fleet = new TestFleet(kafka, folder, 2).with("sandbox.mode", "off");
        shared = fleet;
        fleet.announce("unread-order", "s1");
        fleet.send(UNREAD);
        order(UNREAD, LaneOrder.Order.FAIL);
        fleet.worker("w1");
    }

    @AfterAll
    static void stop() {
        if (shared != null)
            shared.close();
    }

    @Test
    void aCallThatWasFailedBeforeAnybodyReadItDoesNotStart() {
        ToolError error = requireNonNull(result(UNREAD).error());

        assertThat(error.code()).isEqualTo("E_TOOL_CANCELLED");
        assertThat(error.message()).isEqualTo(
                "The call was ended by an operator, to free its lane, by ada before it started: enough");
        assertThat(TestTools.probe("unread-order").started).isEmpty();
    }

    @Test
    void aHandlerThatIgnoresItsInterruptHoldsItsLaneNoLongerAndItsOutcomeIsUnknown() {
        fleet().announce("stuck", "s1");
        ToolCall stuck = TestFleet.call("stuck", "t__stubborn", "stuck", Map.of("tag", "laneorder"));
        ToolCall behind = TestFleet.call("behind", "t__write", "stuck", Map.of("tag", "behind-stuck"));
        fleet().send(stuck);
        fleet().send(behind);
        awaitStart("laneorderstubborn");

        order(stuck, LaneOrder.Order.FAIL);

        ToolError error = requireNonNull(result(stuck).error());
        assertThat(error.code()).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
        assertThat(error.message()).contains("by ada (enough)").contains("may have happened");
        assertThat(result(behind).error()).isNull();
        TestTools.probe("laneorderstubborn").gate.countDown();
    }

    @Test
    void aLaneGoesOnPastACallThatRunsOn() {
        fleet().announce("skipped", "s1");
        ToolCall slow = TestFleet.call("hold1", "t__held", "skipped", Map.of("tag", "skipped"));
        ToolCall behind = TestFleet.call("c2", "t__held", "skipped", Map.of("tag", "skipped"));
        fleet().send(slow);
        fleet().send(behind);
        await().atMost(Duration.ofSeconds(60)).until(() -> TestTools.probe("skipped").started.contains("hold1"));

        order(slow, LaneOrder.Order.SKIP);

        assertThat(result(behind).error()).isNull();
        assertThat(TestTools.probe("skipped").running.get("skipped")).hasValue(1);
        TestTools.probe("skipped").gate.countDown();
        assertThat(result(slow).error()).isNull();
        assertThat(fleet().first(Topic.AUDIT, record -> Optional.of(AUDITS.read(record.value()))
                .filter(event -> "lane-skipped".equals(event.action()))).worker()).isEqualTo("w1");
    }

    @Test
    void anOrderHoldsForTheNextOwnerToo() throws InterruptedException {
        fleet().announce("moves", "s1");
        ToolCall stuck = TestFleet.call("stuck", "t__stubborn", "moves", Map.of("tag", "moves"));
        ToolCall behind = TestFleet.call("behind", "t__write", "moves", Map.of("tag", "behind-moves"));
        fleet().send(stuck);
        fleet().send(behind);
        awaitStart("movesstubborn");
        try (Worker other = fleet().worker("w2")) {
            order(stuck, LaneOrder.Order.FAIL);

            assertThat(requireNonNull(result(stuck).error()).code()).isEqualTo("E_TOOL_OUTCOME_UNKNOWN");
            assertThat(result(behind).error()).as(other.notReady().toString()).isNull();
        } finally {
            TestTools.probe("movesstubborn").gate.countDown();
        }
    }

    /// An intent on the journal does not say that the handler has begun.
    private static void awaitStart(String probe) {
        await().atMost(Duration.ofMinutes(1)).until(() -> TestTools.probe(probe).started.contains("stuck"));
    }

    private static void order(ToolCall call, LaneOrder.Order order) {
        LaneOrder made = fleet().first(Topic.CALL, record -> {
            ToolCall found = CALLS.read(record.value());
            return Optional.of(new LaneOrder(call.instanceKey(), order, record.partition(), record.offset(), "ada",
                    "enough"))
                    .filter(one -> found.id().equals(call.id()) && found.instanceKey().equals(call.instanceKey()));
        });
        fleet().send(Topic.OPERATOR, 0, call.instanceKey(), ORDERS.write(made));
    }

    private static TestFleet fleet() {
        return requireNonNull(shared);
    }

    private static ToolResult result(ToolCall call) {
        return fleet().result(call, result -> !result.replayed());
    }
}
