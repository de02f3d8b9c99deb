package dev.toolfleet.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.client.ToolFleetClientException.Reason;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.CompletionDecoder;
import dev.toolfleet.wire.DecodedCompletion;
import dev.toolfleet.wire.Progress;
import dev.toolfleet.wire.ToolError;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.StringNode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CompletionsTest {
    private final MockProducer<byte[], byte[]> producer = new MockProducer<>(false, null, new ByteArraySerializer(),
            new ByteArraySerializer());
    private final Completions completions = new Completions(
            ClientConfig.of("nowhere:9092").named("farm").on(new Topics("acme.")), producer);

    @AfterEach
    void close() {
        completions.close();
    }

    @Test
    void everyKindIsWhatTheFleetReads() {
        completions.progress("h-1", new Progress(40.0, "compiling"), "secret");
        completions.completed("h-1", Json.MAPPER.createObjectNode().put("jar", "a.jar"), "secret");
        completions.failed("h-2", ToolError.of(ErrorCode.E_TOOL, "does not compile"), null);
        completions.cancelled("h-3", null, null);

        assertThat(producer.history()).extracting(record -> new String(record.key(), UTF_8)).containsExactly("h-1",
                "h-1",
                "h-2", "h-3");
        assertThat(producer.history()).allSatisfy(record -> {
            assertThat(record.topic()).isEqualTo("acme.tool.completion");
            assertThat(record.partition()).as("the producer's partitioner decides").isNull();
            assertThat(KafkaHeaders.text(record.headers(), "ce_type")).isEqualTo("dev.toolfleet.tool.completion.v1");
            assertThat(KafkaHeaders.text(record.headers(), "ce_source")).isEqualTo("/toolfleet/client/farm");
        });
        assertThat(producer.history()).map(record -> CompletionDecoder.decode(record.value()))
                .containsExactly(
                        new DecodedCompletion.Valid(
                                Completion.progress("h-1", new Progress(40.0, "compiling"), "secret")),
                        new DecodedCompletion.Valid(Completion.completed("h-1",
                                Json.MAPPER.createObjectNode().put("jar", "a.jar"), "secret")),
                        new DecodedCompletion.Valid(
                                Completion.failed("h-2", ToolError.of(ErrorCode.E_TOOL, "does not compile"), null)),
                        new DecodedCompletion.Valid(Completion.cancelled("h-3", null, null)));
    }

    @Test
    void theStageEndsWhenTheBrokerHasTheRecord() {
        CompletionStage<Void> sent = completions.completed("h-1", null, null);
        assertThat(sent.toCompletableFuture()).isNotDone();

        producer.completeNext();

        assertThat(sent.toCompletableFuture()).succeedsWithin(60, TimeUnit.SECONDS);
    }

    @Test
    void whatDidNotReachTheBrokerFailsWithHandleAndTopic() {
        CompletableFuture<Void> sent = completions.completed("h-1", null, null).toCompletableFuture();

        producer.errorNext(new TimeoutException("no leader"));

        assertThat(sent).failsWithin(60, TimeUnit.SECONDS);
        assertThat(sent.exceptionNow()).isInstanceOfSatisfying(ToolFleetClientException.class,
                problem -> assertThat(problem.reason()).isEqualTo(Reason.NOT_SENT))
                .hasMessage("completion (completed) of handle 'h-1' was not sent to acme.tool.completion: no leader");
    }

    @Test
    void whatNoWorkerWouldAcceptIsNotSent() {
        assertThatThrownBy(() -> completions.progress("h-1", new Progress(400.0, null), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'progress.percent' is 400.0; it goes from 0 to 100");
        assertThatThrownBy(() -> completions.completed("h".repeat(10_000), null, null))
                .hasMessageContaining("'handle' has 10000 characters");
        assertThatThrownBy(() -> completions.completed("h-1", StringNode.valueOf("x".repeat(2_000_000)), null))
                .hasMessageContaining("handle 'h-1' has 2000").hasMessageContaining("send its address");
        assertThat(producer.history()).isEmpty();
    }
}
