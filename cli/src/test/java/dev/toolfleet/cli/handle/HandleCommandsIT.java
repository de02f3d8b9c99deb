package dev.toolfleet.cli.handle;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

import dev.toolfleet.cli.TypedCommands;
import dev.toolfleet.client.topics.TopicScan;
import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.error.ErrorCode;
import dev.toolfleet.json.Digests;
import dev.toolfleet.json.Json;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.wire.CancelCall;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolError;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/// The commands for pending calls, over records as a fleet writes them.
@EmbeddedKafkaTest
class HandleCommandsIT {
    private static final List<Topic> TOPICS = List.of(Topic.CALL, Topic.RESULT, Topic.PROGRESS, Topic.STEP,
            Topic.CATALOG_STEP, Topic.CATALOG_CONTENT, Topic.PENDING, Topic.COMPLETION, Topic.CONTROL);

    private final KafkaFixture kafka;
    private final KafkaProducer<byte[], byte[]> producer;
    private final TypedCommands commands = TypedCommands.of(200);
    private final StringWriter out = commands.out();
    private final StringWriter err = commands.err();

    HandleCommandsIT(KafkaFixture kafka) {
        this.kafka = kafka;
        for (Topic topic : TOPICS)
            kafka.create(topic.baseName(), topic.group() == Topic.Group.SINGLE ? 1 : 2, topic.config());
        producer = new KafkaProducer<>(kafka.producerProperties(), new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @AfterEach
    void close() {
        producer.close();
    }

    @Test
    void handlesShowsWhatIsOpenAndWhatBecameOfOne() throws Exception {
        assertThat(run("handles")).as(err.toString()).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("no handle is open");
        ToolCall call = call("call_0", "step-1");
        pending("build-1", call, 7, null);
        pending("build-2", call, 8, null);

        assertThat(run("handles")).isZero();
        assertThat(out.toString()).contains("build-1", "build-2", "builds__start", "telegram:123", "expires in");
        assertThat(run("handles", "--instance", "another", "--json")).isZero();
        assertThat(out.toString()).isEmpty();

        write(Topic.PENDING, null, "build-1", null);
        write(Topic.RESULT, 1, "telegram:123",
                WireCodec.of(ToolResult.class).write(result(call, 7, ResultStatus.OK)));
        assertThat(run("handles", "build-1")).isZero();
        assertThat(out.toString()).contains("ended: ok").contains("\"jar\":\"a.jar\"");
        assertThat(run("handles", "build-2", "--json")).isZero();
        var json = Json.MAPPER.readTree(out.toString());
        assertThat(json.path("state").stringValue()).isEqualTo("open");
        assertThat(json.path("tokenRequired").booleanValue()).isFalse();
        assertThat(json.path("args").path("path").stringValue()).isEqualTo(".");
        assertThat(run("handles", "build-3")).isEqualTo(1);
        assertThat(out.toString()).contains("unknown");
    }

    @Test
    void aCompletionThatWouldNotBeBelievedIsNotSent() throws Exception {
        pending("build-1", call("call_0", "step-1"), 7, Digests.sha256("secret"));
        pending("build-2", call("call_0", "step-2"), 8, null);
        write(Topic.PENDING, null, "build-2", null);

        assertThat(run("complete", "build-1")).isEqualTo(2);
        assertThat(err.toString()).contains("handle 'build-1' demands a token").contains("--token");
        assertThat(run("complete", "build-1", "--token", "guess")).isEqualTo(2);
        assertThat(err.toString()).contains("not the one that handle 'build-1' demands");
        assertThat(run("complete", "build-2", "--error", "no")).isEqualTo(1);
        assertThat(err.toString()).contains("handle 'build-2' has ended").contains("nothing was sent");
        assertThat(run("progress", "build-1", "--percent", "400", "--token", "secret")).isEqualTo(2);
        assertThat(err.toString()).contains("'progress.percent' is 400.0; it goes from 0 to 100");
        assertThat(run("complete", "build-1", "--output", "{oops")).isEqualTo(2);
        assertThat(err.toString()).contains("--output is not JSON");
        assertThat(read(Topic.COMPLETION, Completion.class)).isEmpty();
    }

    @Test
    void aCompletionIsSentAndItsEffectAwaited() throws Exception {
        ToolCall call = call("call_0", "step-1");
        pending("build-1", call, 7, Digests.sha256("secret"));

        assertThat(run("progress", "build-1", "--percent", "40", "--token", "secret")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("builds__start (call_0, instance telegram:123)");
        assertThat(run("complete", "build-1", "--error", "disk full", "--code", "E_DISK", "--token", "secret",
                "--timeout", "500ms")).as("no fleet runs here").isEqualTo(1);
        assertThat(err.toString()).contains("was sent, but its final result did not come within 500 ms");
        assertThat(run("complete", "build-9", "--output", "{}")).isZero();
        assertThat(err.toString()).contains("no call is pending under handle 'build-9' yet");

        assertThat(read(Topic.COMPLETION, Completion.class)).extracting(Completion::handle, Completion::kind)
                .containsExactlyInAnyOrder(
                        tuple("build-1", Completion.Kind.PROGRESS),
                        tuple("build-1", Completion.Kind.FAILED),
                        tuple("build-9", Completion.Kind.COMPLETED));
    }

    @Test
    void aBareIdThatMeansSeveralCallsIsShownAndNothingCancelled() throws Exception {
        send(call("call_0", "step-1"));
        send(call("call_0", "step-2"));
        RecordMetadata ended = send(call("call_0", "step-3"));
        write(Topic.RESULT, ended.partition(), "telegram:123", WireCodec.of(ToolResult.class)
                .write(result(call("call_0", "step-3"), ended.offset(), ResultStatus.OK)));

        assertThat(run("cancel", "--instance", "telegram:123", "--call", "call_0")).isEqualTo(2);
        assertThat(err.toString()).contains("step-1", "step-2", "2 calls match and nothing was cancelled", "--step")
                .doesNotContain("step-3");
        assertThat(run("cancel", "--instance", "telegram:123", "--call", "call_0", "--step", "step-3")).isZero();
        assertThat(out.toString()).contains("ok").contains("nothing was cancelled: it has ended");
        assertThat(run("cancel", "--instance", "telegram:123", "--call", "call_9")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no call 'call_9' of instance 'telegram:123' within a day");
        assertThat(read(Topic.CONTROL, CancelCall.class)).isEmpty();

        assertThat(run("cancel", "--instance", "telegram:123", "--call", "call_0", "--step", "step-1", "--by", "ada",
                "--reason", "wrong branch", "--timeout", "500ms")).as("no fleet runs here").isEqualTo(1);
        assertThat(err.toString()).contains("1 of 1 calls have not ended within 500 ms");
        assertThat(read(Topic.CONTROL, CancelCall.class)).containsExactly(
                new CancelCall("telegram:123", "call_0", "step-1", null, "ada", "wrong branch", "coder", "t-1"));
    }

    @Test
    void aHandleIsCancelledUntilItHasEnded() throws Exception {
        ToolCall call = call("call_0", "step-1");
        pending("build-1", call, 7, null);

        assertThat(run("cancel", "build-1", "--by", "ada", "--timeout", "500ms")).isEqualTo(1);
        assertThat(run("cancel", "build-1", "--instance", "another")).isEqualTo(2);
        assertThat(err.toString()).contains("belongs to instance 'telegram:123'");
        write(Topic.PENDING, null, "build-1", null);
        write(Topic.RESULT, 1, "telegram:123",
                WireCodec.of(ToolResult.class).write(result(call, 7, ResultStatus.ERROR)));
        assertThat(run("cancel", "build-1")).isZero();
        assertThat(out.toString()).contains("has ended").contains("E_TOOL_CANCELLED").contains("nothing was cancelled");
        assertThat(run("cancel", "build-2")).isEqualTo(1);
        assertThat(err.toString()).contains("no call is pending under handle 'build-2'").contains("--instance");

        assertThat(read(Topic.CONTROL, CancelCall.class))
                .containsExactly(new CancelCall("telegram:123", null, null, "build-1", "ada", null, null, null));
    }

    private static ToolCall call(String id, String step) {
        return ToolCall.of(id, "builds__start", Json.MAPPER.createObjectNode().put("path", "."), "telegram:123")
                .inStep("coder", "t-1", step, 1);
    }

    private static ToolResult result(ToolCall call, long offset, ResultStatus status) {
        boolean ok = status == ResultStatus.OK;
        return new ToolResult(call.id(), call.name(), status,
                ok ? Json.MAPPER.createObjectNode().put("jar", "a.jar") : null, null,
                ok ? null : ToolError.of(ErrorCode.E_TOOL_CANCELLED, "ada: wrong branch"), call.instanceKey(),
                call.agentName(), call.turnId(), call.stepId(), 1, false, null, offset, null, null);
    }

    private void pending(String handle, ToolCall call, long offset, @Nullable String tokenHash) throws Exception {
        Instant now = Instant.now();
        write(Topic.PENDING, null, handle,
                WireCodec.of(PendingCall.class).write(new PendingCall(handle, PendingCall.Kind.ASYNC, call, 1, offset,
                        null, null, now.plus(Duration.ofHours(2)), null, tokenHash, now, null)));
    }

    private RecordMetadata send(ToolCall call) throws Exception {
        return write(Topic.CALL, null, call.instanceKey(), WireCodec.of(ToolCall.class).write(call));
    }

    private RecordMetadata write(Topic topic, @Nullable Integer partition, String key, byte @Nullable [] value)
            throws InterruptedException, ExecutionException {
        return producer.send(new ProducerRecord<>(kafka.topic(topic.baseName()), partition,
                key.getBytes(StandardCharsets.UTF_8), value)).get();
    }

    private <T> List<T> read(Topic topic, Class<T> type) {
        List<T> found = new ArrayList<>();
        try (TopicScan scan = TopicScan.open(Map.of("bootstrap.servers", kafka.bootstrapServers()),
                Duration.ofSeconds(10), TopicScan.Gauge.SILENT)) {
            List<TopicPartition> partitions = scan.partitions(kafka.topic(topic.baseName()));
            scan.read(scan.beginnings(partitions), record -> found.add(WireCodec.of(type).read(record.value())));
        }
        return found;
    }

    private int run(String... arguments) {
        return commands.with("--bootstrap", kafka.bootstrapServers(), "--set", "topics.prefix=" + kafka.prefix())
                .run(arguments);
    }
}
