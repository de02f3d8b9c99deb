package dev.toolfleet.worker.record;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.AgentInstance;
import dev.toolfleet.wire.CallIntent;
import dev.toolfleet.wire.CallOrigin;
import dev.toolfleet.wire.HandOver;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.assignment.Position;
import dev.toolfleet.worker.call.Identified;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.identity.Arrival;
import dev.toolfleet.worker.identity.IdentifiedCall;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.StringNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/// What a call says to agents is there when its result is, and not when it failed.
class AgentRecordsTest {
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final InstantSource CLOCK = () -> NOW;
    private static final RecordWriter WRITER = new RecordWriter(new Topics("acme."), "w1", CLOCK);
    private static final ResultRecords RESULTS = new ResultRecords(WRITER, CLOCK, 200_000);
    private static final AgentAddress TO = new AgentAddress("reviewer", "i/r");

    private final OutcomeRecords outcomes = new OutcomeRecords(RESULTS, new SideRecords(WRITER, RESULTS, CLOCK),
            new JournalRecords(WRITER), CLOCK, "", new WorkerMeters(new SimpleMeterRegistry()), LoopStage.OFF,
            open -> {});
    private final Identified run = run();

    private static Identified run() {
        ToolCall call = ToolCall.of("c1", "agents__send", JsonNodeFactory.instance.objectNode(), "i").inStep("planner",
                "t1", "s1", 1);
        Identified run = Identified.of(
                IdentifiedCall
                        .of(new Arrival.Call(new Position(3, 7, 42), call, 0, new TraceContext(TRACE, null), 100)),
                NOW.toEpochMilli());
        run.sends().handedOver(List.of(event("e1"), event("e2")),
                List.of(new AgentInstance("reviewer", "i/r", new AgentAddress("planner", "i"), null,
                        AgentInstance.Status.SPAWNED, NOW, null)));
        return run;
    }

    private static AgentEvent event(String id) {
        return new AgentEvent(id, AgentEvent.Type.EVENT, new AgentAddress("planner", "i"), TO, "n", null, null, null,
                null, null, null, null, null, null, NOW, null, null);
    }

    @Test
    void theyGoWithAResult() {
        Outcome outcome = of(new ToolReply.Ok(StringNode.valueOf("sent")));

        assertThat(outcome.records()).extracting(ProducerRecord::topic).containsExactly("acme.tool.result",
                "acme.agent.instance", "acme.agent.event", "acme.agent.event");
        ProducerRecord<byte[], byte[]> event = outcome.records().get(2);
        assertThat(new String(event.key(), UTF_8)).isEqualTo("i/r");
        assertThat(header(event, "ce_id")).isEqualTo("e1");
        assertThat(header(event, "traceparent")).isEqualTo(TRACE);
        assertThat(new String(outcome.records().get(1).key(), UTF_8)).isEqualTo("reviewer/i/r");
    }

    @Test
    void theyGoWithAPendingResult() {
        assertThat(of(new ToolReply.Pending("h", StringNode.valueOf("asked"), null, null)).records())
                .extracting(ProducerRecord::topic).contains("acme.tool.pending", "acme.agent.event");
    }

    @Test
    void aCallThatFailsSaysNothing() {
        assertThat(of(new ToolReply.Failed(new ToolError("E_X", "X", "broken", null, null))).records())
                .extracting(ProducerRecord::topic).doesNotContain("acme.agent.event", "acme.agent.instance");
        assertThat(of(new ToolReply.Ok(StringNode.valueOf("x".repeat(200_000)))).records()).as("does not fit")
                .extracting(ProducerRecord::topic).doesNotContain("acme.agent.event");
    }

    @Test
    void aDuplicateSaysNothingAgain() {
        assertThat(outcomes.stillPending(run, "h").records()).hasSize(1);
    }

    @Test
    void theHeirOfAPartitionIsTold() {
        intent();

        HandOver handOver = handedOver(of(new ToolReply.Ok(StringNode.valueOf("sent"))));

        assertThat(handOver.agentEvents()).extracting(AgentEvent::id).containsExactly("e1", "e2");
        assertThat(handOver.agentInstances()).hasSize(1);
    }

    @Test
    void theHeirIsToldNothingForAgentsOfACallThatFailed() {
        intent();

        HandOver told = handedOver(of(new ToolReply.Failed(new ToolError("E_X", "X", "broken", null, null))));

        assertThat(told.agentEvents()).isNull();
        assertThat(told.agentInstances()).isNull();
    }

    @Test
    void aPendingCallThatIsHandedOnOnceMoreKeepsItsToken() {
        intent();
        ToolReply.Pending asked = new ToolReply.Pending("h", StringNode.valueOf("asked"), null, "secret");
        PendingCall first = requireNonNull(handedOver(of(asked)).pending());
        ToolReply.Pending heard = new ToolReply.Pending("h", StringNode.valueOf("asked"), null, null);

        PendingCall second = requireNonNull(
                handedOver(outcomes.pendingElsewhere(run, first, new Guarded(heard, null))).pending());

        assertThat(first.tokenHash()).isNotNull();
        assertThat(second.tokenHash()).isEqualTo(first.tokenHash());
        assertThat(second.deadline()).isEqualTo(first.deadline());
    }

    // As after tool.call was made anew, when a duplicate of the call lies there. Its end would name a record that is gone.
    @Test
    void aPendingCallThatWasHandedOverWaitsAtTheRecordByWhichItIsKnownHere() {
        intent();
        PendingCall said = requireNonNull(
                handedOver(of(new ToolReply.Pending("h", StringNode.valueOf("asked"), null, null))).pending());
        PendingCall former = new PendingCall(said.handle(), said.kind(), said.call(), said.partition(), 7,
                said.catalogDigest(), said.output(), said.deadline(), said.heartbeatTimeout(), said.tokenHash(),
                said.createdAt(), new CallOrigin(run.call().fingerprint(), 1, null, NOW.minusSeconds(60), null, null));

        PendingCall here = PendingRecords.handedOver(run, former, said.output());

        assertThat(here.callOffset()).isEqualTo(42);
        assertThat(requireNonNull(here.origin()).calledAt()).isEqualTo(Instant.EPOCH);
        assertThat(here.deadline()).isEqualTo(said.deadline());
    }

    private void intent() {
        run.course()
                .noted(new CallIntent("id", run.call().fingerprint(), "agents__send", 1, "w1", 7, NOW, "member", NOW,
                        null));
    }

    private static HandOver handedOver(Outcome outcome) {
        ProducerRecord<byte[], byte[]> told = requireNonNull(outcome.sequel().handOver());
        return requireNonNull(WireCodec.of(ResumedCall.class).read(told.value()).handOver());
    }

    private Outcome of(ToolReply reply) {
        return outcomes.of(run, reply, new Guarded(reply, null));
    }

    private static String header(ProducerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }
}
