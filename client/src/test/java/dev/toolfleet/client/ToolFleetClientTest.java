package dev.toolfleet.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.toolfleet.client.ToolFleetClientException.Reason;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests the failure of the parts that the client rests on.
class ToolFleetClientTest {
    private final BreakingConsumer consumer = new BreakingConsumer();
    private final MockProducer<byte[], byte[]> producer = new MockProducer<>(true, null, new ByteArraySerializer(),
            new ByteArraySerializer());
    private final ToolFleetClient client = new ToolFleetClient(ClientConfig.of("nowhere:9092").named("test"),
            ClientPosition.NONE, 1, producer, consumer, ToolFleetClientTest::firstAnswers);

    /// The ends of partitions; only the first has a leader.
    private static Map<TopicPartition, CompletableFuture<Long>> firstAnswers(List<TopicPartition> partitions) {
        return partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> partition.partition() == 0
                ? CompletableFuture.completedFuture(0L)
                : new CompletableFuture<>()));
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void aCallFailsWhenTheProducerThrowsWhatIsNotKafkas() {
        producer.sendException = new ArithmeticException("a partitioner that is plugged in");

        assertThat(problemOf(client.call(call("call_0")).result())).satisfies(problem -> {
            assertThat(problem.reason()).isEqualTo(Reason.NOT_SENT);
            assertThat(problem).hasMessageContaining("call 'call_0'").hasMessageContaining("a partitioner");
        });
        assertThat(client.position().offsets()).isEmpty();
    }

    @Test
    void openCallsFailWhenTheReadingThreadEnds() {
        CompletionStage<ToolResult> open = client.call(call("call_0")).result();
        consumer.broken = true;

        assertThat(problemOf(open)).hasMessageContaining("client 'test' can read no more, its reading thread ended with"
                + " java.lang.LinkageError: as asked while call 'call_0'");
        assertThatThrownBy(() -> client.call(call("call_1"))).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("can read no more");
    }

    @Test
    void aPartitionWithoutLeaderKeepsNoClientFromSendingToOthersOrReadingThem() {
        BreakingConsumer own = new BreakingConsumer();
        try (ToolFleetClient fresh = new ToolFleetClient(ClientConfig.of("nowhere:9092").named("fresh")
                .waitingForBroker(Duration.ofSeconds(1)), ClientPosition.NONE, 2, producer, own,
                ToolFleetClientTest::firstAnswers)) {
            CompletionStage<ToolResult> answered = fresh.call(call("call_0")).result();
            TopicPartition healthy = new TopicPartition(new Topics("").name(Topic.RESULT), 0);
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> own.assignment().contains(healthy));
            own.addRecord(new ConsumerRecord<>(healthy.topic(), 0, 0, "i".getBytes(StandardCharsets.UTF_8),
                    WireCodec.of(ToolResult.class).write(Results.ok(call("call_0"), 0))));

            assertThat(answered.toCompletableFuture()).succeedsWithin(60, TimeUnit.SECONDS);
            assertThatThrownBy(() -> fresh.subscribe("i", result -> {})).as("it would have to read all of them")
                    .isInstanceOf(ToolFleetClientException.class).hasMessageContaining("tool.result [1] ends");
        }
    }

    private static ToolCall call(String id) {
        return ToolCall.of(id, "bash__exec", Json.MAPPER.createObjectNode(), "i");
    }

    private static ToolFleetClientException problemOf(CompletionStage<ToolResult> stage) {
        CompletableFuture<ToolResult> result = stage.toCompletableFuture();
        assertThat(result).failsWithin(60, TimeUnit.SECONDS);
        return (ToolFleetClientException) result.exceptionNow();
    }

    private static final class BreakingConsumer extends MockConsumer<byte[], byte[]> {
        private volatile boolean broken;

        BreakingConsumer() {
            super("earliest");
        }

        @Override
        public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            if (broken)
                throw new LinkageError("as asked");
            return super.poll(timeout);
        }
    }
}
