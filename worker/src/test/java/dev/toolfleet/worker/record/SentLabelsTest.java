package dev.toolfleet.worker.record;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.toolfleet.middleware.ToolReply;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.AddedLabel;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.AgentReplyTo;
import dev.toolfleet.wire.PublishedLabel;
import dev.toolfleet.wire.ReceivedLabel;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolRef;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.TestResources;
import dev.toolfleet.worker.agents.TestSends;
import dev.toolfleet.worker.call.CallFacts;
import dev.toolfleet.worker.call.TestCalls;
import dev.toolfleet.worker.commit.Outcome;
import dev.toolfleet.worker.guard.ResultGuard.Guarded;
import dev.toolfleet.worker.identity.DedupeConfig;
import dev.toolfleet.worker.identity.InstanceLabels;
import dev.toolfleet.worker.identity.PartitionState;
import dev.toolfleet.worker.identity.PartitionStates;
import dev.toolfleet.worker.registry.RegisteredTool;
import dev.toolfleet.worker.telemetry.WorkerMeters;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.StringNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/// Labels are in the transaction of the message that carries them.
class SentLabelsTest extends OutcomeRecordsFixture {
    private static final ToolReply OK = new ToolReply.Ok(StringNode.valueOf("sent"));
    private static final ToolRef REF = new ToolRef("acme", "t", "run");
    private static final AddedLabel HEARD = new AddedLabel("hr-data", "hr__get", "c0", 5, "boss");

    private final PartitionState state = new PartitionState(new DedupeConfig(Duration.ofMinutes(10), 100), () -> 0);
    private Map<String, AddedLabel> received = Map.of();
    private String published = "";

    @BeforeEach
    void knowTheFleet() {
        PartitionStates states = new PartitionStates();
        states.labelsFrom(new InstanceLabels.Fleet() {
            @Override
            public boolean isPublished(String instance, String term) {
                return term.equals(published);
            }

            @Override
            public Map<String, AddedLabel> receivedBy(String instance, String reader) {
                return instance.equals("i") ? received : Map.of();
            }

            @Override
            public boolean caughtUp() {
                return true;
            }
        });
        states.opened(3, 7, state);
    }

    @Test
    void aResultPublishesItsLabelUntilTheFleetKnowsIt() {
        assertThat(own(of(ended(TestResources.openWorld()), OK))).extracting(PublishedLabel::count).containsExactly(1L);
        assertThat(own(of(ended(TestResources.openWorld()), OK))).as("not read back yet").hasSize(1);
        published = "untrusted/1";
        assertThat(own(of(ended(TestResources.openWorld()), OK))).isEmpty();
    }

    @Test
    void aMessageCarriesTheLabelsOfItsSender() {
        of(ended(TestResources.openWorld()), OK);
        received = Map.of("hr-data", HEARD);

        assertThat(received(of(sending(TestResources.registered(true), event("e1", "i/r")), OK)))
                .extracting(ReceivedLabel::instanceKey, ReceivedLabel::from, SentLabelsTest::label)
                .containsExactly(tuple("i/r", "i", "hr-data"), tuple("i/r", "i", "untrusted"));
    }

    /// The message may have what the same call has read.
    @Test
    void itCarriesThoseOfItsOwnResultToo() {
        assertThat(received(of(sending(TestResources.openWorld(), event("e1", "i/r")), OK)))
                .extracting(SentLabelsTest::label).containsExactly("untrusted");
    }

    @Test
    void aRequestMakesItsSenderAReaderOfTheOther() {
        assertThat(received(of(sending(TestResources.registered(true), request("e1", "i/r")),
                new ToolReply.Pending("h", StringNode.valueOf("asked"), null, null))))
                .containsExactly(ReceivedLabel.all("i", "i/r", "e1"));
    }

    @Test
    void aMessageWithinTheConversationCarriesNone() {
        of(ended(TestResources.openWorld()), OK);

        assertThat(received(of(sending(TestResources.registered(true), request("e1", "i")), OK))).isEmpty();
    }

    @Test
    void aCallThatFailsCarriesNone() {
        of(ended(TestResources.openWorld()), OK);

        assertThat(received(of(sending(TestResources.openWorld(), request("e1", "i/r")),
                new ToolReply.Failed(new ToolError("E_X", "X", "broken", null, null))))).isEmpty();
    }

    /// The next owner has not read on behalf of the handler what its instance has from others.
    @Test
    void afterAHandOverTheReceiverReadsAllOfTheSender() {
        CallFacts run = sending(TestResources.registered(true));
        run.sends().handedOver(List.of(event("e1", "i/r")), List.of());

        assertThat(received(of(run, OK))).containsExactly(ReceivedLabel.all("i/r", "i", "e1"));
    }

    @Test
    void aRequestWhoseHandlerWaitsMakesBothReadersOfEachOther() {
        Records records = new Records(new Topics("acme."), "w1", "", CLOCK, new WorkerMeters(registry));

        assertThat(records.labelsOf(request("e1", "i/r")))
                .extracting(record -> WireCodec.of(ReceivedLabel.class).read(record.value()))
                .containsExactly(ReceivedLabel.all("i/r", "i", "e1"), ReceivedLabel.all("i", "i/r", "e1"));
        assertThat(records.labelsOf(request("e1", "i"))).as("one instance").isEmpty();
    }

    private static String label(ReceivedLabel received) {
        return received.added() == null ? "*" : received.added().label();
    }

    private static AgentEvent event(String id, String instance) {
        return new AgentEvent(id, AgentEvent.Type.EVENT, new AgentAddress("planner", "i"),
                new AgentAddress("reviewer", instance), "n", null, null, null, null, null, null, null, null, null,
                Instant.EPOCH, null, null);
    }

    private static AgentEvent request(String id, String instance) {
        return new AgentEvent(id, AgentEvent.Type.DELEGATE, new AgentAddress("planner", "i"),
                new AgentAddress("reviewer", instance), "n", null, null, "c", AgentReplyTo.handle("h", "t"), null, null,
                null, null, null, Instant.EPOCH, null, null);
    }

    private CallFacts ended(RegisteredTool tool) {
        return CallFacts.Ended.after(TestCalls.allowed(run().recalledBy(state)).of(tool, REF), 5);
    }

    private CallFacts sending(RegisteredTool tool, AgentEvent... events) {
        CallFacts run = ended(tool);
        TestSends.add(run.sends(), events);
        return run;
    }

    private Outcome of(CallFacts run, ToolReply reply) {
        return outcomes.of(run, reply, new Guarded(reply, null));
    }

    private static List<ReceivedLabel> received(Outcome outcome) {
        return records(outcome).stream().filter(record -> new String(record.key(), UTF_8).startsWith("[\"received\""))
                .map(record -> WireCodec.of(ReceivedLabel.class).read(record.value())).toList();
    }

    private static List<PublishedLabel> own(Outcome outcome) {
        return records(outcome).stream().filter(record -> new String(record.key(), UTF_8).startsWith("[\"own\""))
                .map(record -> WireCodec.of(PublishedLabel.class).read(record.value())).toList();
    }

    private static List<ProducerRecord<byte[], byte[]>> records(Outcome outcome) {
        return outcome.records().stream().filter(record -> record.topic().endsWith("agent.label"))
                .filter(record -> record.value() != null).toList();
    }
}
