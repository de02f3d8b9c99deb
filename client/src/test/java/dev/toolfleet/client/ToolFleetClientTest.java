package dev.toolfleet.client;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.client.ToolFleetClientException.Reason;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolResult;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// What happens when a part that the client rests on breaks.
class ToolFleetClientTest {
    private final BreakingConsumer consumer = new BreakingConsumer();
    private final MockProducer<byte[], byte[]> producer = new MockProducer<>(true, null, new ByteArraySerializer(),
            new ByteArraySerializer());
    private final ToolFleetClient client = new ToolFleetClient(ClientConfig.of("nowhere:9092").named("test"),
            ClientPosition.NONE, 1, producer, consumer);

    ToolFleetClientTest() {
        consumer.updateEndOffsets(Map.of(new TopicPartition(new Topics("").name(Topic.RESULT), 0), 0L));
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
