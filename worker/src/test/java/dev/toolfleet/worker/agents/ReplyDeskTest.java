package dev.toolfleet.worker.agents;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import dev.toolfleet.wire.AgentAddress;
import dev.toolfleet.wire.AgentEvent;
import dev.toolfleet.wire.AgentReplyTo;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class ReplyDeskTest {
    private static final TopicPartition PARTITION = new TopicPartition("agent.event", 0);
    private static final Instant NOW = Instant.parse("2026-11-21T20:00:00Z");
    private static final WireCodec<AgentEvent> EVENTS = WireCodec.of(AgentEvent.class);

    private final ConcurrentLinkedQueue<AgentEvent> answers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger offset = new AtomicInteger(7);

    /// A topic whose end is where the answers come.
    private MockConsumer<byte[], byte[]> consumer() {
        opened.incrementAndGet();
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("latest") {
            @Override
            public synchronized ConsumerRecords<byte[], byte[]> poll(Duration time) {
                for (AgentEvent next = answers.poll(); next != null; next = answers.poll())
                    addRecord(new ConsumerRecord<>(PARTITION.topic(), 0, offset.getAndIncrement(),
                            next.to().instanceKey().getBytes(UTF_8), EVENTS.write(next)));
                return super.poll(time);
            }
        };
        consumer.updateEndOffsets(Map.of(PARTITION, (long) offset.get()));
        return consumer;
    }

    private ReplyDesk desk(RequestSender sender) {
        return new ReplyDesk("here", this::consumer, Set.of(PARTITION), sender);
    }

    @Test
    void theAnswerWithTheSameCorrelationIsTheAnswer() throws InterruptedException {
        List<AgentEvent> sent = new ArrayList<>();
        try (ReplyDesk desk = desk(request -> {
            sent.add(request);
            answers.add(result("elsewhere", "c1"));
            answers.add(result("here", "other"));
            answers.add(event(AgentEvent.Type.EVENT, "here", "c1", null));
            answers.add(result("here", "c1"));
        })) {
            AgentEvent answer = requireNonNull(desk.ask(request("c1"), Duration.ofSeconds(30)));

            assertThat(answer.type()).isEqualTo(AgentEvent.Type.DELEGATE_RESULT);
            assertThat(answer.correlationId()).isEqualTo("c1");
            assertThat(answer.to()).isEqualTo(desk.address());
            assertThat(sent).hasSize(1);
        }
    }

    @Test
    void onlyWhoAsksReadsAndAllWithOneReader() throws InterruptedException {
        try (ReplyDesk desk = desk(request -> answers.add(result("here", String.valueOf(request.correlationId()))))) {
            assertThat(opened).hasValue(0);

            assertThat(desk.ask(request("c1"), Duration.ofSeconds(30))).isNotNull();
            assertThat(desk.ask(request("c2"), Duration.ofSeconds(30))).isNotNull();
            assertThat(opened).hasValue(1);
        }
    }

    @Test
    void silenceHasAnEnd() throws InterruptedException {
        try (ReplyDesk desk = desk(request -> {})) {
            assertThat(desk.ask(request("c1"), Duration.ofMillis(300))).isNull();
        }
    }

    @Test
    void whatCannotBeReadIsToldAndAskedForAnew() throws InterruptedException {
        AtomicInteger tries = new AtomicInteger();
        try (ReplyDesk desk = new ReplyDesk("here", () -> {
            if (tries.getAndIncrement() == 0)
                throw new KafkaException("no broker");
            return consumer();
        }, Set.of(PARTITION), request -> answers.add(result("here", "c1")))) {
            assertThatThrownBy(() -> desk.ask(request("c1"), Duration.ofSeconds(30)))
                    .hasMessageContaining("no broker");
            assertThat(desk.ask(request("c1"), Duration.ofSeconds(30))).isNotNull();
        }
    }

    @Test
    void aDeskThatIsClosedTakesNoMore() {
        ReplyDesk desk = desk(request -> {});
        desk.close();

        assertThatThrownBy(() -> desk.ask(request("c1"), Duration.ofSeconds(30)))
                .hasMessageContaining("the worker stops");
    }

    private static AgentEvent request(String correlation) {
        return event(AgentEvent.Type.DELEGATE, "i", correlation,
                AgentReplyTo.address(new AgentAddress("@worker", "here")));
    }

    private static AgentEvent result(String instanceKey, String correlation) {
        return event(AgentEvent.Type.DELEGATE_RESULT, instanceKey, correlation, null);
    }

    private static AgentEvent event(AgentEvent.Type type, String instanceKey, String correlation,
            @Nullable AgentReplyTo replyTo) {
        return new AgentEvent("e", type, null, new AgentAddress("@worker", instanceKey), null, null, null, correlation,
                replyTo, null, null, null, null, null, NOW, null, null);
    }
}
