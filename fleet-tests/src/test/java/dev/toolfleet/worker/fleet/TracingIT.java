package dev.toolfleet.worker.fleet;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import dev.toolfleet.embedded.junit.EmbeddedKafkaTest;
import dev.toolfleet.embedded.junit.KafkaFixture;
import dev.toolfleet.topic.Topic;
import dev.toolfleet.topic.TraceContext;
import dev.toolfleet.wire.Approval;
import dev.toolfleet.wire.Completion;
import dev.toolfleet.wire.PendingCall;
import dev.toolfleet.wire.ResultStatus;
import dev.toolfleet.wire.ResumedCall;
import dev.toolfleet.wire.ToolCall;
import dev.toolfleet.wire.ToolErrorEvent;
import dev.toolfleet.wire.ToolResult;
import dev.toolfleet.wire.WireCodec;
import dev.toolfleet.worker.TestResources;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/// A trace goes on from the call's record through everything that derives from it, with a collector and without one.
@EmbeddedKafkaTest
class TracingIT {
    private static final WireCodec<ToolCall> CALLS = WireCodec.of(ToolCall.class);
    private static final WireCodec<ToolErrorEvent> ERRORS = WireCodec.of(ToolErrorEvent.class);
    private static final WireCodec<Completion> COMPLETIONS = WireCodec.of(Completion.class);
    private static final WireCodec<PendingCall> PENDING = WireCodec.of(PendingCall.class);
    private static final WireCodec<ResumedCall> RESUMED = WireCodec.of(ResumedCall.class);
    private static final String SPAN = "b7ad6b7169203331";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void resultsErrorsAndLaterEndsGoOnWithTheCallsTrace(KafkaFixture kafka) throws InterruptedException {
        try (Collector collector = new Collector();
                TestFleet fleet = new TestFleet(kafka, folder, 2).with("tracing.endpoint", collector.endpoint())) {
            ObjectNode tool = TestResources.tool("t", TestTools.class, "echo", "fail", "pend", "write");
            TestResources.export(tool, "write").put("requiresApproval", true);
            HandMade hand = new HandMade(fleet).apply(tool, TestResources.agent(HandMade.AGENT, "Tool/t"));
            hand.step("i", "s1", 0, hand.content(hand.items()));
            fleet.worker("w1");

            String ok = trace(1);
            send(fleet, HandMade.call("ok", "t__echo", "i", "s1", 0, Map.of()), ok);
            TraceContext result = context(fleet, "ok", true);
            assertThat(result.traceId()).isEqualTo(ok);
            assertThat(result.spanId()).isNotEqualTo(SPAN);
            assertThat(result.tracestate()).isEqualTo("vendor=1");

            String failed = trace(2);
            send(fleet, HandMade.call("failed", "t__fail", "i", "s1", 0, Map.of("how", "known")), failed);
            assertThat(event(fleet, "failed").traceId()).isEqualTo(failed);

            String pending = trace(3);
            send(fleet, HandMade.call("pending", "t__pend", "i", "s1", 0, Map.of("handle", "h-trace")), pending);
            TraceContext before = context(fleet, "pending", false);
            fleet.send(Topic.COMPLETION, 0, "h-trace",
                    COMPLETIONS.write(Completion.completed("h-trace", StringNode.valueOf("built"), null)));
            TraceContext after = context(fleet, "pending", true);
            assertThat(after.traceId()).isEqualTo(pending).isEqualTo(before.traceId());
            assertThat(after.spanId()).isNotEqualTo(before.spanId());
            assertThat(resumedTrace(fleet)).isEqualTo(before);

            String approved = trace(4);
            send(fleet, HandMade.call("approved", "t__write", "i", "s1", 0, Map.of("tag", "traced")), approved);
            approve(fleet, fleet.first(Topic.PENDING, record -> Optional.ofNullable(record.value())
                    .map(PENDING::read).filter(waits -> waits.call().id().equals("approved"))));
            assertThat(context(fleet, "approved", true).traceId()).isEqualTo(approved);

            for (String trace : new String[]{ok, failed, pending, approved})
                await().atMost(Duration.ofSeconds(60)).until(() -> collector.holds(trace));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> collector.says("tool.call.resumed") && collector.says("tool.handler"));
        }
    }

    @Test
    void withoutACollectorTheCallersContextTravelsOnUnchanged(KafkaFixture kafka) throws InterruptedException {
        try (TestFleet fleet = new TestFleet(kafka, folder, 2)) {
            fleet.announce("i", "s1");
            fleet.worker("w1");

            send(fleet, TestFleet.call("failed", "t__fail", "i", Map.of("how", "known")), trace(5));

            assertThat(context(fleet, "failed", true))
                    .isEqualTo(new TraceContext("00-" + trace(5) + "-" + SPAN + "-01", "vendor=1"));
            assertThat(event(fleet, "failed").traceId()).isEqualTo(trace(5));
        }
    }

    private static String trace(int number) {
        return String.format("0af7651916cd43dd8448eb211c8031%02x", number);
    }

    private static void send(TestFleet fleet, ToolCall call, String trace) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(fleet.topics.name(Topic.CALL),
                fleet.partition(call.instanceKey()), call.instanceKey().getBytes(StandardCharsets.UTF_8),
                CALLS.write(call));
        record.headers().add("traceparent", ("00-" + trace + "-" + SPAN + "-01").getBytes(StandardCharsets.UTF_8));
        record.headers().add("tracestate", "vendor=1".getBytes(StandardCharsets.UTF_8));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(fleet.kafka().producerProperties(),
                new ByteArraySerializer(), new ByteArraySerializer())) {
            var _ = producer.send(record);
        }
    }

    private static TraceContext context(TestFleet fleet, String id, boolean end) {
        return fleet.first(Topic.RESULT, record -> {
            ToolResult result = TestFleet.result(record);
            return result.toolCallId().equals(id) && (result.status() != ResultStatus.PENDING) == end
                    ? Optional.ofNullable(context(record))
                    : Optional.empty();
        });
    }

    private static TraceContext resumedTrace(TestFleet fleet) {
        return fleet.first(Topic.CALL_RESUMED, record -> Optional.ofNullable(context(record)));
    }

    private static @Nullable TraceContext context(ConsumerRecord<byte[], byte[]> record) {
        return TraceContext.of(header(record, "traceparent"), header(record, "tracestate"));
    }

    private static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    private static ToolErrorEvent event(TestFleet fleet, String id) {
        return fleet.first(Topic.ERROR,
                record -> Optional.of(ERRORS.read(record.value())).filter(event -> event.toolCallId().equals(id)));
    }

    /// As the topology writes it.
    private static void approve(TestFleet fleet, PendingCall pending) {
        Approval asked = requireNonNull(pending.approval());
        fleet.send(Topic.CALL_RESUMED, pending.partition(), pending.call().instanceKey(),
                RESUMED.write(ResumedCall.approved(pending, new ResumedCall.Grant(pending.handle(),
                        asked.fingerprint(), asked.rule(), asked.rules(), asked.policyDigest(),
                        pending.catalogDigest(), "ann", Instant.now()))));
    }
}
