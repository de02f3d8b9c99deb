package dev.toolfleet.client;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.AgentReplyTo;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.StringNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AgentAnswersTest {
    private static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");
    private static final AgentAddress PLANNER = new AgentAddress("planner", "i");
    private static final AgentAddress REVIEWER = new AgentAddress("reviewer", "i/r");
    private static final WireCodec<AgentEvent> EVENTS = WireCodec.of(AgentEvent.class);
    private static final ToolError ERROR = new ToolError("E_X", "X", "broken", null, null);

    private final ClientConfig config = ClientConfig.of("localhost:1");
    private final MockProducer<byte[], byte[]> producer = new MockProducer<>(true, null, new ByteArraySerializer(),
            new ByteArraySerializer());
    private final AgentAnswers answers = new AgentAnswers(config, producer, () -> NOW);

    @Test
    void aCallThatWaitsIsCompletedByItsHandleAndToken() {
        AgentEvent request = delegate(AgentReplyTo.handle("h1", "secret"));

        answers.working(request, new Progress(50.0, null));
        answers.answered(request, StringNode.valueOf("fine"));
        answers.failed(request, ERROR);

        assertThat(producer.history()).extracting(ProducerRecord::topic).containsOnly("tool.completion");
        List<Completion> sent = producer.history().stream()
                .map(record -> WireCodec.of(Completion.class).read(record.value())).toList();
        assertThat(sent).extracting(Completion::kind).containsExactly(Completion.Kind.PROGRESS,
                Completion.Kind.COMPLETED, Completion.Kind.FAILED);
        assertThat(sent).allSatisfy(each -> {
            assertThat(each.handle()).isEqualTo("h1");
            assertThat(each.token()).isEqualTo("secret");
        });
        assertThat(requireNonNull(sent.get(1).output()).path("response").stringValue()).isEqualTo("fine");
        assertThat(requireNonNull(sent.get(1).output()).path("target").stringValue()).isEqualTo("reviewer");
    }

    @Test
    void anAddressGetsAnEvent() {
        AgentEvent request = delegate(AgentReplyTo.address(PLANNER));

        answers.working(request, new Progress(50.0, null));
        answers.answered(request, StringNode.valueOf("fine"));
        answers.failed(request, ERROR);

        assertThat(producer.history()).hasSize(2).allSatisfy(record -> {
            assertThat(record.topic()).isEqualTo("agent.event");
            assertThat(new String(record.key(), UTF_8)).isEqualTo("i");
            AgentEvent event = EVENTS.read(record.value());
            assertThat(event.type()).isEqualTo(AgentEvent.Type.DELEGATE_RESULT);
            assertThat(event.to()).isEqualTo(PLANNER);
            assertThat(event.from()).isEqualTo(REVIEWER);
            assertThat(event.correlationId()).isEqualTo("c1");
        });
        assertThat(EVENTS.read(producer.history().getLast().value()).error()).isEqualTo(ERROR);
    }

    @Test
    void onlyRequestsAreAnswered() {
        AgentEvent event = event(AgentEvent.Type.EVENT, null);

        assertThatThrownBy(() -> answers.answered(event, StringNode.valueOf("x")))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("only a delegate is answered");
    }

    @Test
    void eventsAreDoneAtTheNextLookAndWhatIsNoneIsPassedOver() {
        TopicPartition partition = new TopicPartition(config.topics().name(Topic.AGENT_EVENT), 0);
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
        AgentInbox inbox = new AgentInbox(config, consumer);
        consumer.rebalance(List.of(partition));
        consumer.updateBeginningOffsets(new HashMap<>(Map.of(partition, 0L)));
        consumer.addRecord(record(partition, 0, EVENTS.write(event(AgentEvent.Type.EVENT, null))));
        consumer.addRecord(record(partition, 1, "not JSON".getBytes(UTF_8)));
        consumer.addRecord(record(partition, 2, EVENTS.write(delegate(AgentReplyTo.address(PLANNER)))));

        assertThat(inbox.next(Duration.ofMillis(10))).extracting(AgentEvent::type)
                .containsExactly(AgentEvent.Type.EVENT, AgentEvent.Type.DELEGATE);
        assertThat(consumer.committed(Set.of(partition)).get(partition)).isNull();
        assertThat(inbox.next(Duration.ofMillis(10))).isEmpty();
        assertThat(requireNonNull(consumer.committed(Set.of(partition)).get(partition)).offset())
                .isEqualTo(3);
        assertThat(inbox.unreadable()).isEqualTo(1);
        assertThat(inbox.overtaken()).isZero();
    }

    private static ConsumerRecord<byte[], byte[]> record(TopicPartition partition, long offset, byte[] value) {
        return new ConsumerRecord<>(partition.topic(), partition.partition(), offset, "i".getBytes(UTF_8), value);
    }

    private static AgentEvent delegate(AgentReplyTo replyTo) {
        return event(AgentEvent.Type.DELEGATE, replyTo);
    }

    private static AgentEvent event(AgentEvent.Type type, @Nullable AgentReplyTo replyTo) {
        return new AgentEvent("e1", type, PLANNER, REVIEWER, "agent.request", null, null, "c1", replyTo, null, null,
                null, null, null, NOW, null, null);
    }
}
