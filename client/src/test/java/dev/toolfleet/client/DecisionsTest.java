package dev.toolfleet.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.toolfleet.client.ToolFleetClientException.Reason;
import dev.toolfleet.client.topics.KafkaHeaders;
import dev.toolfleet.topic.Topics;
import dev.toolfleet.wire.Decision;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DecisionsTest {
    private static final WireCodec<Decision> CODEC = WireCodec.of(Decision.class);

    private final MockProducer<byte[], byte[]> producer = new MockProducer<>(false, null, new ByteArraySerializer(),
            new ByteArraySerializer());
    private final Decisions decisions = new Decisions(
            ClientConfig.of("nowhere:9092").named("chat").on(new Topics("acme.")), producer);

    @AfterEach
    void close() {
        decisions.close();
    }

    @Test
    void bothAnswersAreWhatTheFleetReads() {
        decisions.approve("h-1", "ann", null);
        decisions.reject("h-2", "ben", "not on a Friday");

        assertThat(producer.history()).extracting(record -> new String(record.key(), UTF_8)).containsExactly("h-1",
                "h-2");
        assertThat(producer.history()).allSatisfy(record -> {
            assertThat(record.topic()).isEqualTo("acme.tool.decision");
            assertThat(record.partition()).as("the producer's partitioner decides").isNull();
            assertThat(KafkaHeaders.text(record.headers(), "ce_type")).isEqualTo("dev.toolfleet.tool.decision.v1");
            assertThat(KafkaHeaders.text(record.headers(), "ce_source")).isEqualTo("/toolfleet/client/chat");
        });
        assertThat(producer.history()).map(record -> CODEC.read(record.value())).containsExactly(
                Decision.approve("h-1", "ann", null), Decision.reject("h-2", "ben", "not on a Friday"));
    }

    @Test
    void theStageEndsWhenTheBrokerHasTheRecord() {
        CompletableFuture<Void> sent = decisions.approve("h-1", "ann", null).toCompletableFuture();
        assertThat(sent).isNotDone();

        producer.completeNext();

        assertThat(sent).succeedsWithin(60, TimeUnit.SECONDS);
    }

    @Test
    void whatDidNotReachTheBrokerFailsWithHandleAndTopic() {
        CompletableFuture<Void> sent = decisions.reject("h-1", "ann", null).toCompletableFuture();

        producer.errorNext(new TimeoutException("no leader"));

        assertThat(sent).failsWithin(60, TimeUnit.SECONDS);
        assertThat(sent.exceptionNow()).isInstanceOfSatisfying(ToolFleetClientException.class,
                problem -> assertThat(problem.reason()).isEqualTo(Reason.NOT_SENT))
                .hasMessage("decision (reject) about handle 'h-1' was not sent to acme.tool.decision: no leader");
    }

    @Test
    void whatNoWorkerWouldAcceptOrKeepIsNotSent() {
        assertThatThrownBy(() -> decisions.approve(" ", "ann", null)).hasMessageContaining("'handle' has 1 characters");
        assertThatThrownBy(() -> decisions.approve("h".repeat(1_025), "ann", null))
                .hasMessageContaining("'handle' has 1025 characters; 1 to 1024 are accepted");
        assertThatThrownBy(() -> decisions.reject("h-1", "ann", "r".repeat(1_001)))
                .hasMessage("'reason' has 1001 characters; the fleet keeps 1000 of it: shorten it");
        assertThatThrownBy(() -> decisions.approve("h-1", "b".repeat(201), null)).hasMessageContaining("'by' has 201");
        assertThat(producer.history()).isEmpty();
    }
}
